import InertialFusion
import InlineStorage
import MotionDetection
import Quantities
import Telemetry

// The settings of a tracker: number, name, value, what it does, unit and range, each in one line. What files, requests, logs, states,
// help and docs say about settings comes from here.
//
// Numbers are for ever: a setting that is gone leaves its number unused.

extension TrackerConfiguration {
  /// Goes through all settings, in the order in which they are written.
  public mutating func visitSettings(_ visitor: inout some SettingVisitor) {
    visitor.visit(SettingEntry(1, "trackerId", "Name of the device in packets", nil), &trackerID)
    visitor.visit(
      SettingEntry(2, "packetFormat", "Packet format of uplinks that set none", nil), &packetFormat)
    visitor.flag(3, "alertsEnabled", &alertsEnabled, "Whether alerts are on at start")
    visitor.visit(
      SettingEntry(
        4, "reception.earliestDate",
        "Earlier dates of a receiver are corrected in steps of 1024 weeks (week number rollover)",
        nil), &earliestDate)
    visitMotion(&visitor)
    visitRest(&visitor)
    visitCalibration(&visitor)
    visitSensor(&visitor)
    reports.visitSettings(&visitor)
    presence.visitSettings(&visitor)
    readings.visitSettings(&visitor)
    visitor.whole(
      .live(118), "readings.savingLevel", &savingLevel,
      "Charge in percent from which on reports are rarer, until a last position at a quarter of it; 0: never", 0...99)
    visitor.flag(
      .live(130), "checkpoints.byButton", &reports.buttonCheckpoint,
      "Whether the owner's button marks the position ('checkpoint')"
    )
    visitor.flag(
      .live(117), "sensing.sleep", &sensorsSleep,
      "Whether sensors sleep while the vehicle is parked and quiet, where the board can")
    visitOutbox(&visitor)
    rules.visitSettings(&visitor)
    driving.visitSettings(&visitor)
    visitor.number(
      138, "odometer.circumference", &wheelCircumference,
      "Distance per pulse of a wheel sensor; 0: unknown, it is learnt on the first rides", .metres, 0...10)
  }

  private mutating func visitMotion(_ visitor: inout some SettingVisitor) {
    visitor.seconds(
      .live(10), "motion.armAfter", &motion.armAfter, "Time without travel or handling before it is armed", from: 1)
    visitor.seconds(.live(31), "motion.touchDelay", &motion.touchDelay, "Time by which a touch delays arming")
    visitor.seconds(
      .live(32), "motion.armBy", &motion.armBy,
      "Time without travel or handling after which touches no longer delay arming",
      from: 1)
    visitor.seconds(
      .live(11), "motion.standAfter", &motion.standAfter, "Time without travel before a ride counts as standing",
      from: 1)
    visitor.seconds(
      .live(12), "motion.silenceAfter", &motion.silenceAfter, "Time without any data before a ride counts as standing",
      from: 2
    )
    visitor.number(
      .live(13), "motion.travelSpeed", &motion.travelSpeed, "Speed at which travel begins", .metresPerSecond, 0.1...10)
    visitor.number(
      .live(14), "motion.continuedSpeed", &motion.continuedSpeed, "Speed at which travel continues", .metresPerSecond,
      0.05...10)
    visitor.seconds(
      .live(15), "motion.travelConfirmation", &motion.travelConfirmation, "Time that motion.travelSpeed must hold")
    visitor.number(
      .live(16), "motion.travelDisplacement", &motion.travelDisplacement, "Minimum displacement of travel", .metres,
      1...1000)
    visitor.number(
      .live(17), "motion.rideVibration", &motion.rideVibration, "Vibration that counts as riding without a fix",
      .metresPerSecondSquared, 0.05...50)
    visitor.seconds(
      .live(18), "motion.rideVibrationConfirmation", &motion.rideVibrationConfirmation,
      "Time that motion.rideVibration must hold")
    visitor.number(
      .live(19), "motion.worstAccuracy", &motion.worstAccuracy, "Worst accuracy of a usable fix", .metres, 1...10_000)
    visitor.number(
      .live(20), "motion.assumedAccuracy", &motion.assumedAccuracy, "Accuracy assumed for fixes without one", .metres,
      0.1...1000)
    visitor.visit(
      SettingEntry(
        .live(36), "motion.sensitivity", "Factor on the seven limits below: low 1.5, normal 1, high 0.7", nil),
      &motion.sensitivity)
    visitor.number(
      .live(21), "motion.handlingRate", &motion.handlingRate, "Angular rate that counts as handling", .radiansPerSecond,
      0.001...10)
    visitor.number(
      .live(22), "motion.handlingVibration", &motion.handlingVibration, "Vibration that counts as handling",
      .metresPerSecondSquared,
      0.01...50)
    visitor.seconds(
      .live(23), "motion.handlingConfirmation", &motion.handlingConfirmation,
      "Time that handling at its limit must last")
    visitor.number(
      .live(24), "motion.tiltLimit", &motion.tiltLimit, "Tilt since parking that counts as movement", .radians,
      0.001...3)
    visitor.number(
      .live(25), "motion.headingLimit", &motion.headingLimit, "Turn since parking that counts as movement", .radians,
      0.001...3
    )
    visitor.number(
      .live(33), "motion.liftSpeed", &motion.liftSpeed, "Vertical speed that counts as lifting", .metresPerSecond,
      0.01...10)
    visitor.number(
      .live(34), "motion.carryForce", &motion.carryForce, "Vertical vibration that counts as carrying",
      .metresPerSecondSquared, 0.05...50)
    visitor.number(
      .live(37), "motion.shiftLimit", &motion.shiftLimit,
      "Horizontal distance from rest to rest that counts as movement", .metres,
      0.05...100)
    visitor.seconds(
      .live(26), "motion.orientationConfirmation", &motion.orientationConfirmation, "Time that tilt or turn must hold")
    visitor.number(
      .live(27), "motion.parkedDisplacement", &motion.parkedDisplacement,
      "Minimum displacement that counts as movement",
      .metres, 1...10_000)
    visitor.seconds(.live(28), "motion.calmAfter", &motion.calmAfter, "Quiet time that ends a suspicion", from: 1)
    visitor.seconds(.live(29), "motion.quietAfter", &motion.quietAfter, "Quiet time that ends an alarm", from: 1)
    visitor.seconds(
      .live(35), "motion.stolenAfter", &motion.stolenAfter, "Travel or carrying during an alarm that counts as theft",
      from: 1)
  }

  private mutating func visitRest(_ visitor: inout some SettingVisitor) {
    visitor.seconds(40, "rest.window", &motion.rest.window, "Short window of the rest detector", from: 0.01, to: 5)
    visitor.whole(
      41, "rest.minimumSamples", &motion.rest.minimumSamples, "Minimum samples in a short window", 2...1000)
    visitor.seconds(
      42, "rest.halfWindow", &motion.rest.halfWindow, "Half window of the motion detectors", from: 0.02, to: 5)
    visitor.number(
      43, "rest.noiseFactor", &motion.rest.noiseFactor,
      "Scatter that counts as handling, standard deviations of the noise", 1...100)
    visitor.number(
      44, "rest.scatterQuantile", &motion.rest.scatterQuantile, "Scatter that counts as movement, standard deviations",
      0...100
    )
    visitor.number(
      45, "rest.meanFactor", &motion.rest.meanFactor, "Change of the mean that counts as movement, standard deviations",
      1...100)
    visitor.number(
      46, "rest.entryShare", &motion.rest.entryShare, "Fraction of rest.meanFactor below which rest begins", 0.1...1)
    visitor.number(
      47, "rest.minimumAngularRate", &motion.rest.minimumAngularRate, "Scatter below this is never movement",
      .radiansPerSecond, 0...10)
    visitor.number(
      48, "rest.minimumSpecificForce", &motion.rest.minimumSpecificForce, "Scatter below this is never movement",
      .metresPerSecondSquared,
      0...50)
    visitor.number(
      49, "rest.minimumAngularRateChange", &motion.rest.minimumAngularRateChange,
      "A smaller change of the mean is never movement",
      .radiansPerSecond, 0...10)
    visitor.number(
      50, "rest.minimumSpecificForceChange", &motion.rest.minimumSpecificForceChange,
      "A smaller change of the mean is never movement",
      .metresPerSecondSquared, 0...50)
    visitor.number(
      51, "rest.maximumBias", &motion.rest.maximumBias, "Largest possible gyroscope bias", .radiansPerSecond, 0...10)
    visitor.seconds(52, "rest.dwell", &motion.rest.dwell, "Quiet time before rest, after a clear movement")
    visitor.seconds(53, "rest.shortestDwell", &motion.rest.shortestDwell, "Quiet time before rest, otherwise")
    visitor.seconds(
      54, "rest.firstLevelTime", &motion.rest.firstLevelTime,
      "Time of constant noise before it is learnt for the first time")
    visitor.seconds(55, "rest.levelTime", &motion.rest.levelTime, "Time of constant noise before it is learnt again")
    visitor.seconds(
      56, "rest.biasChangeTime", &motion.rest.biasChangeTime, "Time of constant rate before it is the new bias")
  }

  private mutating func visitCalibration(_ visitor: inout some SettingVisitor) {
    visitor.vector(
      70, "calibration.angularRateOffset", &calibration.angularRateOffset, "Gyroscope offset", .radiansPerSecond)
    visitor.vector(
      71, "calibration.specificForceOffset", &calibration.specificForceOffset, "Accelerometer offset",
      .metresPerSecondSquared)
    visitor.vector(72, "calibration.specificForceScale", &calibration.specificForceScale, "Accelerometer factors")
    visitor.visit(
      SettingEntry(73, "calibration.mounting", "Sensor axes that point forward, left and up, or a quaternion", nil),
      &calibration.mounting)
  }

  private mutating func visitSensor(_ visitor: inout some SettingVisitor) {
    visitor.number(
      120, "sensor.angularRateRange", &sensor.angularRateRange,
      "Full scale of the gyroscope, at which readings are counted as clipped; 0: unknown", .radiansPerSecond, 0...200)
    visitor.number(
      121, "sensor.specificForceRange", &sensor.specificForceRange,
      "Full scale of the accelerometer, at which readings are counted as clipped; 0: unknown", .metresPerSecondSquared,
      0...4000)
    visitor.seconds(
      122, "sensor.latency", &sensor.latency, "Group delay of the gyroscope's low-pass filter; 0: unknown", to: 0.1)
    visitor.number(
      123, "sensor.angularRateNoise", &sensor.angularRateNoise, "Noise of the gyroscope; 0: default 0.0005",
      .radiansPerSecondPerRootHertz, 0...1)
    visitor.number(
      124, "sensor.specificForceNoise", &sensor.specificForceNoise, "Noise of the accelerometer; 0: default 0.02",
      .metresPerSecondSquaredPerRootHertz, 0...10)
    visitor.number(
      125, "sensor.magneticDeclination", &sensor.magneticDeclination,
      "Declination of the place, east positive, for headings of 'leash fuse'", .radians, -3.15...3.15)
  }

  private mutating func visitOutbox(_ visitor: inout some SettingVisitor) {
    visitor.seconds(
      100, "outbox.acknowledgementTimeout", &outbox.acknowledgementTimeout,
      "First delay before a failed packet is sent again", from: 1)
    visitor.seconds(
      101, "outbox.maximumTimeout", &outbox.maximumTimeout, "Longest delay before a failed packet is sent again",
      from: 1)
    visitor.seconds(
      102, "outbox.reportLifetime", &outbox.reportLifetime, "Time after which a waiting position or ride is dropped",
      from: 60,
      to: 31_536_000)
    visitor.seconds(
      103, "outbox.noticeLifetime", &outbox.noticeLifetime,
      "Time after which a waiting parking place or answer is dropped", from: 60,
      to: 31_536_000)
    visitor.visit(
      SettingEntry(
        104, "outbox.receivers", "Kinds of packets for each receiver; on a board they follow from its uplinks", nil),
      &outbox.receivers)
    visitor.flag(
      105, "outbox.spool", &outbox.hasSpool, "Whether reports that do not fit go to a spool; always on a board")
    visitor.whole(
      106, "outbox.reportCapacity", &outbox.reportCapacity,
      "With a spool: maximum reports in the outbox", 1...24)
    visitor.whole(107, "outbox.window", &outbox.window, "Packets in flight on one uplink at the same time", 1...32)
  }
}

extension DrivingParameters {
  /// Goes through the settings of driving.
  public mutating func visitSettings(_ visitor: inout some SettingVisitor) {
    visitor.number(
      .live(131), "driving.speedLimit", &speedLimit, "Speed limit; 0: none", .metresPerSecond, 0...100)
    visitor.seconds(
      .live(132), "driving.speedDuration", &speedDuration, "Time that the speed must be above its limit", to: 3600)
    visitor.number(
      .live(133), "driving.accelerationLimit", &accelerationLimit, "Acceleration that counts as hard; 0: none",
      .metresPerSecondSquared, 0...50)
    visitor.number(
      .live(134), "driving.brakingLimit", &brakingLimit, "Deceleration that counts as hard braking; 0: none",
      .metresPerSecondSquared, 0...50)
    visitor.number(
      .live(135), "driving.corneringLimit", &corneringLimit,
      "Lateral acceleration that counts as hard cornering; 0: none",
      .metresPerSecondSquared, 0...50)
    visitor.seconds(
      .live(136), "driving.forceDuration", &forceDuration, "Time that acceleration must be above its limit", to: 60)
    visitor.flag(
      .live(137), "driving.notices", &notices, "Whether driving above the limits is also reported in packets")
  }
}

extension RuleParameters {
  /// Goes through the settings of rules.
  public mutating func visitSettings(_ visitor: inout some SettingVisitor) {
    visitor.seconds(
      .live(110), "rules.confirmAfter", &confirmAfter, "Time that fixes must confirm leaving or entering a fence",
      from: 1,
      to: 3600)
    visitor.number(
      .live(111), "rules.exitDeviations", &exitDeviations,
      "Distance outside a fence that counts as exit, standard deviations of the position", 1...10)
    visitor.seconds(
      .live(112), "rules.repeatInterval", &repeatInterval, "Time before a fence alert is repeated", from: 30,
      to: 86_400)
    visitor.flag(.live(113), "rules.transitions", &transitions, "Whether entering and leaving each fence is reported")
    visitor.visit(
      SettingEntry(
        .live(114), "rules.secureMovement",
        "Reaction to movement at a secure place: notice, silent, or alert as elsewhere",
        nil),
      &secureMovement)
    visitor.number(
      .live(115), "rules.placeRadius", &placeRadius, "Radius of a place created by 'secure'", .metres, 5...5000)
  }
}

extension ReportParameters {
  /// Goes through the settings of reports and of the repetition of alerts.
  public mutating func visitSettings(_ visitor: inout some SettingVisitor) {
    visitor.seconds(.live(80), "reports.ridingInterval", &ridingInterval, "Time between reports while riding", from: 1)
    visitor.number(.live(81), "reports.distance", &distance, "Distance between reports", .metres, 1...100_000)
    visitor.number(
      .live(82), "reports.courseChange", &courseChange, "Turn that triggers a report", .radians, 0.01...3.2)
    visitor.number(
      .live(83), "reports.speedChange", &speedChange, "Change of speed that triggers a report", .metresPerSecond,
      0.1...100)
    visitor.seconds(
      .live(84), "reports.minimumInterval", &minimumInterval, "Minimum time between reports of distance, turn or speed")
    visitor.number(
      .live(99), "reports.pathError", &pathError,
      "Largest distance of a ride from the path of its reports, instead of distance, turn and speed; less than 0.1 counts as 0.1; 0: off",
      .metres,
      0...1000)
    visitor.seconds(.live(85), "reports.alarmInterval", &alarmInterval, "Time between reports during an alarm", from: 1)
    visitor.seconds(
      .live(90), "reports.stolenInterval", &stolenInterval, "Time between reports of a stolen vehicle while it stands",
      from: 1
    )
    visitor.seconds(.live(86), "reports.parkedInterval", &parkedInterval, "Time between reports while parked", from: 60)
    visitor.seconds(.live(87), "reports.staleAfter", &staleAfter, "Age at which a position is stale", from: 1)
    visitor.words(.live(89), "reports.phases", &phases, "Phases in which changes of position are reported")
    visitor.seconds(
      .live(91), "alerts.repeatInterval", &repeatInterval, "Time before an unanswered alert is repeated",
      from: 1)
    visitor.seconds(
      .live(92), "alerts.repeatFor", &repeatFor,
      "Time after an alert during which alerts.repeatInterval applies")
    visitor.seconds(
      .live(93), "alerts.lateRepeatInterval", &lateRepeatInterval, "Time between repetitions after alerts.repeatFor",
      from: 1
    )
    visitor.seconds(
      .live(97), "alerts.touchInterval", &touchInterval, "Minimum time between packets about touches; 0: none")
  }
}

extension PresenceParameters {
  /// Goes through the settings of the owner's nearness.
  public mutating func visitSettings(_ visitor: inout some SettingVisitor) {
    visitor.seconds(
      .live(94), "owner.holdFor", &holdFor,
      "Time that an alert is held back while the vehicle moves with its owner; 0: never",
      to: 60)
    visitor.seconds(
      .live(95), "owner.nearAfterSighting", &nearAfterSighting, "Time that the owner counts as near after a sighting",
      from: 5,
      to: 600)
    visitor.seconds(
      .live(96), "owner.nearByRequest", &nearByRequest,
      "Time that the owner counts as near after 'near' without seconds",
      from: 5,
      to: 3600
    )
  }
}

extension ReadingParameters {
  /// Goes through the settings of readings.
  public mutating func visitSettings(_ visitor: inout some SettingVisitor) {
    visitor.seconds(
      .live(88), "readings.lifetime", &lifetime,
      "Age after which readings of battery, mobile network and temperature are not reported", from: 1)
    visitor.seconds(
      .live(98), "readings.powerDelay", &powerDelay,
      "Time that external power must be gone or back before it is reported as an event", to: 86_400)
    visitor.numbers(
      .live(116), "readings.batteryLevels", &batteryLevels,
      "Charges in percent at which the battery is reported as low, each once as it goes down", 1...99)
  }
}

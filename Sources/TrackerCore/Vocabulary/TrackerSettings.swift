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
    visitor.visit(SettingEntry(1, "trackerId", "The device's name in every packet", nil), &trackerID)
    visitor.visit(
      SettingEntry(2, "packetFormat", "How packets are written for ways that do not say", nil), &packetFormat)
    visitor.flag(3, "alertsEnabled", &alertsEnabled, "Whether alerts are on at the start")
    visitor.visit(
      SettingEntry(
        4, "reception.earliestDate",
        "Dates of a receiver before this one are moved on by 1024 weeks at a time, as its week counter has rolled over",
        nil), &earliestDate)
    visitMotion(&visitor)
    visitRest(&visitor)
    visitCalibration(&visitor)
    reports.visitSettings(&visitor)
    visitOutbox(&visitor)
    rules.visitSettings(&visitor)
  }

  private mutating func visitMotion(_ visitor: inout some SettingVisitor) {
    visitor.seconds(10, "motion.armAfter", &motion.armAfter, "Time without travel or handling until armed", from: 1)
    visitor.seconds(31, "motion.touchDelay", &motion.touchDelay, "How long a touch delays that")
    visitor.seconds(32, "motion.armBy", &motion.armBy, "The same, whatever touches it", from: 1)
    visitor.seconds(11, "motion.standAfter", &motion.standAfter, "Time without travel until a ride stands", from: 1)
    visitor.seconds(12, "motion.silenceAfter", &motion.silenceAfter, "Silence until a ride counts as standing", from: 2)
    visitor.number(
      13, "motion.travelSpeed", &motion.travelSpeed, "Speed that begins travel", .metresPerSecond, 0.1...10)
    visitor.number(
      14, "motion.continuedSpeed", &motion.continuedSpeed, "Speed that continues travel", .metresPerSecond, 0.05...10)
    visitor.seconds(15, "motion.travelConfirmation", &motion.travelConfirmation, "How long that speed must hold")
    visitor.number(16, "motion.travelDisplacement", &motion.travelDisplacement, "Least displacement", .metres, 1...1000)
    visitor.number(
      17, "motion.rideVibration", &motion.rideVibration, "Vibration of a ride", .metresPerSecondSquared, 0.05...50)
    visitor.seconds(18, "motion.rideVibrationConfirmation", &motion.rideVibrationConfirmation, "How long it must hold")
    visitor.number(
      19, "motion.worstAccuracy", &motion.worstAccuracy, "Worst accuracy of a usable fix", .metres, 1...10_000)
    visitor.number(
      20, "motion.assumedAccuracy", &motion.assumedAccuracy, "Accuracy of fixes without one", .metres, 0.1...1000)
    visitor.visit(
      SettingEntry(
        36, "motion.sensitivity", "What the six limits below are multiplied by: low 1.5, normal 1, high 0.7", nil),
      &motion.sensitivity)
    visitor.number(
      21, "motion.handlingRate", &motion.handlingRate, "Turning that is handling", .radiansPerSecond, 0.001...10)
    visitor.number(
      22, "motion.handlingVibration", &motion.handlingVibration, "Shaking that is handling", .metresPerSecondSquared,
      0.01...50)
    visitor.seconds(
      23, "motion.handlingConfirmation", &motion.handlingConfirmation,
      "How long handling of just that strength must last")
    visitor.number(
      24, "motion.tiltLimit", &motion.tiltLimit, "Tilt since it was left that is movement", .radians, 0.001...3)
    visitor.number(
      25, "motion.headingLimit", &motion.headingLimit, "Turn since it was left that is movement", .radians, 0.001...3)
    visitor.number(
      33, "motion.liftSpeed", &motion.liftSpeed, "Vertical velocity that is a lift", .metresPerSecond, 0.01...10)
    visitor.number(
      34, "motion.carryForce", &motion.carryForce, "Vertical swing of steps", .metresPerSecondSquared, 0.05...50)
    visitor.seconds(
      26, "motion.orientationConfirmation", &motion.orientationConfirmation, "How long tilt or turn must hold")
    visitor.number(
      27, "motion.parkedDisplacement", &motion.parkedDisplacement, "Displacement when parked", .metres, 1...10_000)
    visitor.seconds(28, "motion.calmAfter", &motion.calmAfter, "Quiet that ends a suspicion", from: 1)
    visitor.seconds(29, "motion.quietAfter", &motion.quietAfter, "Quiet that ends an alarm", from: 1)
    visitor.seconds(
      35, "motion.stolenAfter", &motion.stolenAfter, "Travel or carrying in an alarm that is a theft", from: 1)
  }

  private mutating func visitRest(_ visitor: inout some SettingVisitor) {
    visitor.seconds(40, "rest.window", &motion.rest.window, "Short window of the rest detector", from: 0.01, to: 5)
    visitor.whole(
      41, "rest.minimumSamples", &motion.rest.minimumSamples, "Samples in a short window at least", 2...1000)
    visitor.seconds(42, "rest.halfWindow", &motion.rest.halfWindow, "Half a window of the detectors", from: 0.02, to: 5)
    visitor.number(43, "rest.noiseFactor", &motion.rest.noiseFactor, "Handling in standard deviations", 1...100)
    visitor.number(
      44, "rest.scatterQuantile", &motion.rest.scatterQuantile, "Scatter that is movement, standard deviations", 0...100
    )
    visitor.number(
      45, "rest.meanFactor", &motion.rest.meanFactor, "Change of a mean that is movement, standard deviations", 1...100)
    visitor.number(46, "rest.entryShare", &motion.rest.entryShare, "Share of it under which rest begins", 0.1...1)
    visitor.number(
      47, "rest.minimumAngularRate", &motion.rest.minimumAngularRate, "Never movement", .radiansPerSecond, 0...10)
    visitor.number(
      48, "rest.minimumSpecificForce", &motion.rest.minimumSpecificForce, "Never movement", .metresPerSecondSquared,
      0...50)
    visitor.number(
      49, "rest.minimumAngularRateChange", &motion.rest.minimumAngularRateChange, "Never a change of the mean",
      .radiansPerSecond, 0...10)
    visitor.number(
      50, "rest.minimumSpecificForceChange", &motion.rest.minimumSpecificForceChange, "Never a change of the mean",
      .metresPerSecondSquared, 0...50)
    visitor.number(
      51, "rest.maximumBias", &motion.rest.maximumBias, "Largest bias a gyroscope may have", .radiansPerSecond, 0...10)
    visitor.seconds(52, "rest.dwell", &motion.rest.dwell, "Quiet that is rest after a clear movement")
    visitor.seconds(53, "rest.shortestDwell", &motion.rest.shortestDwell, "Quiet that is rest otherwise")
    visitor.seconds(54, "rest.firstLevelTime", &motion.rest.firstLevelTime, "Level noise that is the sensor's at first")
    visitor.seconds(55, "rest.levelTime", &motion.rest.levelTime, "Level noise that is the sensor's")
    visitor.seconds(56, "rest.biasChangeTime", &motion.rest.biasChangeTime, "Steady rate that is a new bias")
  }

  private mutating func visitCalibration(_ visitor: inout some SettingVisitor) {
    visitor.vector(
      70, "calibration.angularRateOffset", &calibration.angularRateOffset, "Gyroscope offset", .radiansPerSecond)
    visitor.vector(
      71, "calibration.specificForceOffset", &calibration.specificForceOffset, "Accelerometer offset",
      .metresPerSecondSquared)
    visitor.vector(72, "calibration.specificForceScale", &calibration.specificForceScale, "Accelerometer factors")
    visitor.visit(
      SettingEntry(73, "calibration.mounting", "Sensor axes forward, left and up, or its rotation", nil),
      &calibration.mounting)
  }

  private mutating func visitOutbox(_ visitor: inout some SettingVisitor) {
    visitor.seconds(
      100, "outbox.acknowledgementTimeout", &outbox.acknowledgementTimeout,
      "First wait before a packet that was handed back is tried again", from: 1)
    visitor.seconds(101, "outbox.maximumTimeout", &outbox.maximumTimeout, "The longest such wait", from: 1)
    visitor.seconds(
      102, "outbox.reportLifetime", &outbox.reportLifetime, "How long a position or a ride may wait", from: 60,
      to: 31_536_000)
    visitor.seconds(
      103, "outbox.noticeLifetime", &outbox.noticeLifetime, "How long a parking place or an answer may wait", from: 60,
      to: 31_536_000)
    visitor.visit(
      SettingEntry(104, "outbox.receivers", "Kinds of packets that each receiver wants", nil), &outbox.receivers)
    visitor.flag(105, "outbox.spool", &outbox.hasSpool, "Whether reports that no longer fit go to a spool")
    visitor.whole(
      106, "outbox.reportCapacity", &outbox.reportCapacity,
      "With a spool: reports that wait in the outbox before others go there", 1...24)
    visitor.whole(107, "outbox.window", &outbox.window, "Packets under way on one way at the same time", 1...32)
  }
}

extension RuleParameters {
  /// Goes through the settings of rules.
  public mutating func visitSettings(_ visitor: inout some SettingVisitor) {
    visitor.seconds(
      110, "rules.confirmAfter", &confirmAfter, "How long fixes must say that a fence was left or entered", from: 1,
      to: 3600)
    visitor.number(
      111, "rules.exitDeviations", &exitDeviations,
      "Standard deviations of the position beyond a fence that are an exit", 1...10)
    visitor.seconds(
      112, "rules.repeatInterval", &repeatInterval, "Time after which an alert about a fence is told again", from: 30,
      to: 86_400)
    visitor.flag(113, "rules.transitions", &transitions, "Whether coming to and leaving each fence is told")
    visitor.visit(
      SettingEntry(
        114, "rules.secureMovement", "Movement at a secure place: notice, silent, or alert as elsewhere", nil),
      &secureMovement)
    visitor.number(115, "rules.placeRadius", &placeRadius, "Radius of a place that `secure` makes", .metres, 5...5000)
  }
}

extension ReportParameters {
  /// Goes through the settings of reports.
  public mutating func visitSettings(_ visitor: inout some SettingVisitor) {
    visitor.seconds(80, "reports.ridingInterval", &ridingInterval, "Time between reports when riding", from: 1)
    visitor.number(81, "reports.distance", &distance, "Distance between reports", .metres, 1...100_000)
    visitor.number(82, "reports.courseChange", &courseChange, "Turn that is reported", .radians, 0.01...3.2)
    visitor.number(
      83, "reports.speedChange", &speedChange, "Change of speed that is reported", .metresPerSecond, 0.1...100)
    visitor.seconds(84, "reports.minimumInterval", &minimumInterval, "Least time between such reports")
    visitor.seconds(85, "reports.alarmInterval", &alarmInterval, "Time between reports in an alarm", from: 1)
    visitor.seconds(
      90, "reports.stolenInterval", &stolenInterval, "The same of a stolen vehicle that stands", from: 1)
    visitor.seconds(
      91, "reports.repeatInterval", &repeatInterval, "Time after which an alert without an answer is told again",
      from: 1)
    visitor.seconds(92, "reports.repeatFor", &repeatFor, "How long after the last movement it is told so often")
    visitor.seconds(
      93, "reports.lateRepeatInterval", &lateRepeatInterval, "Time between its repetitions after that", from: 1)
    visitor.seconds(
      94, "reports.nearGrace", &nearGrace,
      "How long under way with its owner until it is the owner's; 0: no alert waits",
      to: 60)
    visitor.seconds(95, "reports.nearFor", &nearFor, "How long the owner is near after a sighting", from: 5, to: 600)
    visitor.seconds(
      96, "reports.nearByWord", &nearByWord, "How long the owner is near by a word that does not say", from: 5, to: 3600
    )
    visitor.seconds(86, "reports.parkedInterval", &parkedInterval, "Time between reports when parked", from: 60)
    visitor.seconds(87, "reports.staleAfter", &staleAfter, "Age that makes a position stale", from: 1)
    visitor.seconds(
      88, "reports.supplyLifetime", &supplyLifetime,
      "Age beyond which a reading of the power supply is not told any more", from: 1)
    visitor.seconds(97, "reports.touchInterval", &touchInterval, "Least time between packets about touches; 0: none")
    visitor.words(89, "reports.phases", &phases, "Phases in which positions are reported as they change")
  }
}

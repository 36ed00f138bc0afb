extension OrientationScore {
  /// Scores the estimates of all samples of a trial.
  ///
  /// - Parameters:
  ///   - estimates: `earthFromSensor`, scalar first, four per sample.
  ///   - trial: The truth, with as many samples.
  ///   - alignment: False leaves what is after alignment NaN, which takes most of the time.
  public init(_ estimates: [Double], against trial: OrientationTrial, alignment: Bool = true) {
    precondition(estimates.count == 4 * trial.count, "one estimate for each sample")
    self.init(
      estimates: quaternions(estimates), references: quaternions(trial.reference), isMoving: trial.isMoving,
      alignment: alignment)
  }
}

extension RestScore {
  /// Scores what a detector said at each sample of a trial.
  public init(_ isAtRest: [Bool], against trial: OrientationTrial) {
    precondition(isAtRest.count == trial.count, "one answer for each sample")
    self.init(isResting: isAtRest, isMoving: trial.isMoving, hertz: RestScore.hertz(ofTimes: trial.times))
  }
}

/// Four numbers each.
private func quaternions(_ values: [Double]) -> [PreciseQuaternion] {
  stride(from: 0, to: values.count, by: 4).map { place in
    PreciseQuaternion(w: values[place], x: values[place + 1], y: values[place + 2], z: values[place + 3])
  }
}

import Glibc
import Quantities
import Recording
import TrackerRuntime

/// A recording of an inertial sensor with the speeds that go with it.
struct RealityRecording {
  private(set) var times: [Double] = []
  private(set) var samples = SignalStretch()
  /// Readings per second: one over the median step.
  private(set) var hertz = 0.0
  /// Speeds with their times, s and m/s; empty without any.
  private var speeds: [(time: Double, speed: Double)] = []

  /// - Parameters:
  ///   - file: As scenes name it.
  ///   - speeds: File with the way that a wheel has counted, or with fixes; nil for none.
  init(_ file: String, speeds: String?, in library: SceneLibrary) throws(RecordingError) {
    let source = try library.open(file)
    while let input = try source.next() {
      guard case .inertial(let sample) = input, let rate = sample.angularRate, let force = sample.specificForce else {
        continue
      }
      times.append(sample.time.secondsDouble)
      samples.append(rate, force)
    }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    hertz = steps.isEmpty ? 0 : 1 / steps[steps.count / 2]
    guard let speeds else { return }
    try readSpeeds(speeds, in: library)
  }

  private mutating func readSpeeds(_ file: String, in library: SceneLibrary) throws(RecordingError) {
    let counted = try library.distances(file)
    if !counted.isEmpty {
      // The way of two seconds: a pulse of the wheel is two metres.
      var first = 0
      for row in counted {
        while row.time - counted[first].time > .seconds(2) { first += 1 }
        let seconds = (row.time - counted[first].time).secondsDouble
        guard seconds > 1 else { continue }
        speeds.append((row.time.secondsDouble - seconds / 2, (row.metres - counted[first].metres) / seconds))
      }
      return
    }
    let source = try library.open(file)
    while let input = try source.next() {
      guard case .fix(let fix) = input, let speed = fix.speed else { continue }
      speeds.append((fix.time.secondsDouble, speed))
    }
  }

  /// Speed at a time, m/s: the latest that is known; 0 without any.
  func speed(at time: Double) -> Double {
    var (low, high) = (0, speeds.count)
    while low < high {
      let middle = (low + high) / 2
      if speeds[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? speeds[low - 1].speed : speeds.first?.speed ?? 0
  }

  /// Stretches without a gap between two times at speeds within a range, as places of `samples`.
  ///
  /// - Parameter shortest: Seconds that a stretch has at least.
  func stretches(from: Double, to: Double, speeds: ClosedRange<Double>, shortest: Double) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var begin: Int?
    func end(_ place: Int) {
      if let start = begin, Double(place - start) >= shortest * hertz { result.append(start..<place) }
      begin = nil
    }
    for place in times.indices {
      let isWanted = times[place] >= from && times[place] < to && speeds.contains(speed(at: times[place]))
      let isGap = place > 0 && times[place] - times[place - 1] > 8 / hertz
      if !isWanted || isGap { end(place) }
      if isWanted, begin == nil { begin = place }
    }
    end(times.count)
    return result
  }
}

extension SceneLibrary {
  /// The way that a wheel had counted at each row; none when the file has no such column.
  func distances(_ file: String) throws(RecordingError) -> [(time: Instant, metres: Double)] {
    let path = path(file)
    guard !isMissing(path) else {
      throw RecordingError(kind: .system(code: ENOENT), file: path, found: "no such recording")
    }
    return try recordedDistances(path)
  }
}

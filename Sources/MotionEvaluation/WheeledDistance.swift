import Positioning
import Quantities
import Recording
import TrackerCore
import TrackerRuntime

/// A recorded ride whose device has counted turns of a wheel, and what the odometer makes of them. All in m.
package struct WheeledDistance: Sendable {
  /// Name of the recording.
  package var name: String
  /// Whether constants may be chosen on it.
  package var half: SceneHalf
  /// What the device made of its pulses.
  package var deviceMetres: Double
  /// How many pulses there were.
  package var pulses: UInt32
  /// The odometer with pulses of a wheel of which nothing is known.
  package var ownMetres: Double
  /// What was learnt of it on this ride: metres per pulse, and their standard deviation as a share; nil when that was nothing.
  package var learnt: (metres: Double, deviation: Double)?
  /// The odometer with a wheel that was learnt on other rides, with all fixes and with thinned ones; nil without such rides.
  package var metres: Double?
  package var thinnedMetres: Double?

  /// The circumference that the bike computers of the recordings are set to, m: what they count are whole multiples of it.
  package static var circumference: Double { 2.095 }

  /// What a device counted, as pulses of its wheel, at the times of the recording.
  ///
  /// - Returns: nil when what it counted is no multiple of `circumference`: then it counted positions, and not a wheel.
  static func pulses(_ path: String) throws(RecordingError) -> [WheelReading]? {
    var readings: [WheelReading] = []
    var count = 0.0
    var (whole, parts) = (0, 0)
    var last: Double?
    for (time, metres) in try recordedDistances(path) {
      let step = (metres - (last ?? metres)) / circumference
      if step > 0 { if (step - step.rounded()).magnitude <= 0.02 { whole += 1 } else { parts += 1 } }
      count += max(0, step.rounded())
      guard let pulses = UInt32(exactly: count) else { return nil }
      readings.append(WheelReading(time: time, pulses: pulses))
      last = metres
    }
    // Rounding makes a few steps look like parts.
    return whole >= 20 && parts * 20 <= whole ? readings : nil
  }

  /// Gives the fixes of a ride to a tracker, and the pulses.
  static func odometer(
    _ path: String, _ readings: [WheelReading], isThinned: Bool, _ configuration: RunConfiguration
  ) throws(RecordingError) -> (metres: Double, wheel: WheelMeter) {
    let recording = try openRecording(path)
    let run = try TrackerRun(configuration) { _, _ in }
    var place = 0
    var last: Instant?
    var end = Instant.zero
    while let input = try recording.next() {
      guard case .fix(let fix) = input else { continue }
      end = max(end, fix.time)
      while place < readings.count, readings[place].time <= fix.time {
        try run.feed(.reading(.wheel(readings[place])))
        place += 1
      }
      if isThinned, let last, fix.time - last < RiddenDistance.thinning { continue }
      last = fix.time
      try run.feed(input)
    }
    // Long enough to be parked.
    try run.advance(to: end + .seconds(3600))
    return (run.distance, run.look { $0.wheel })
  }

  /// Measures rides: each with a wheel of which nothing is known, and with one that was learnt on those of the other half.
  ///
  /// - Parameter rides: Path, name and half of each; those without a wheel are passed over.
  package static func measure(
    _ rides: [(path: String, name: String, half: SceneHalf)], _ configuration: RunConfiguration
  ) throws(RecordingError) -> [WheeledDistance] {
    var result: [(ride: WheeledDistance, path: String, readings: [WheelReading])] = []
    for (path, name, half) in rides {
      guard let readings = try pulses(path), let first = readings.first, let last = readings.last else { continue }
      let pulses = last.pulses - first.pulses
      let (metres, wheel) = try odometer(path, readings, isThinned: false, configuration)
      var ride = WheeledDistance(
        name: name, half: half, deviceMetres: Double(pulses) * circumference, pulses: pulses, ownMetres: metres)
      if wheel.scale > 0 { ride.learnt = (Double(wheel.scale), Double(wheel.deviation)) }
      result.append((ride, path, readings))
    }
    for half in SceneHalf.allCases {
      let others = result.filter { $0.ride.half != half }.compactMap(\.ride.learnt)
      let weight = others.reduce(0) { $0 + 1 / ($1.deviation * $1.deviation) }
      guard weight > 0 else { continue }
      var known = configuration
      known.tracker.wheelCircumference = Float(
        others.reduce(0) { $0 + $1.metres / ($1.deviation * $1.deviation) } / weight)
      for place in result.indices where result[place].ride.half == half {
        let (_, path, readings) = result[place]
        result[place].ride.metres = try odometer(path, readings, isThinned: false, known).metres
        result[place].ride.thinnedMetres = try odometer(path, readings, isThinned: true, known).metres
      }
    }
    return result.map(\.ride)
  }

  private init(
    name: String, half: SceneHalf, deviceMetres: Double, pulses: UInt32, ownMetres: Double
  ) {
    self.name = name
    self.half = half
    self.deviceMetres = deviceMetres
    self.pulses = pulses
    self.ownMetres = ownMetres
  }
}

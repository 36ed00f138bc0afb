import Quantities
import Recording
import TrackerRuntime

/// A class of motion that there are recordings of, and how the simulation moves in its place.
package struct RealityClass: Sendable {
  /// A recording, or a part of one.
  package struct Source: Sendable {
    /// File, as scenes name it.
    var file: String
    /// File with its speeds.
    var speeds: String?
    /// Seconds.
    var from = 0.0
    var to = 1e9
    /// True when constants may be chosen on it.
    var half: SceneHalf
  }

  /// Which of the windows of a ride count.
  enum Share: Sendable {
    case all
    /// The third that shakes least for its speed.
    case smooth
    /// The third that shakes most.
    case rough
  }

  /// As in the table.
  package var name: String
  /// What is recorded, in words.
  package var about: String
  var sources: [Source]
  var share = Share.all
  /// Speeds that count, m/s.
  var speeds = 0.0...100.0
  /// Lowest frequency that counts, Hz.
  var lowest = 0.5
  /// Rest has an Allan deviation.
  var isRest = false
  /// What the simulation has for it.
  var models: [RealityModel]
}

/// A model of the simulation that stands in for a recording.
package struct RealityModel: Sendable {
  /// As in the table.
  package var name: String
  /// True when its constants were chosen on the recordings of the tuning half.
  package var isFitted: Bool
  /// True for a model of one kind of road: all of it stands in for a share of the recording.
  var isOneRoad = false
  /// Members that are played in the place of each stretch, where it is a family.
  var members = 1
  /// Readings at the times of a recording: how many a second, and the speed at each of the samples, m/s.
  var play: @Sendable (_ hertz: Double, _ speeds: [Double], _ seed: UInt64) -> SignalStretch
}

/// A class compared.
package struct RealityResult: Sendable {
  /// One half of the recordings.
  package struct Half: Sendable {
    /// Which.
    package var half: SceneHalf
    /// Files, without their folders.
    package var files: [String]
    /// Seconds of it.
    package var seconds: Double
    /// What was recorded.
    package var recorded: SignalFigures
    /// Each model in its place.
    package var models: [(name: String, isFitted: Bool, figures: SignalFigures, distance: SignalDistance)]
  }

  /// As in the table.
  package var name: String
  /// In words.
  package var about: String
  /// Tuning half first.
  package var halves: [Half]
  /// From the held half to the tuning half; nil when their rates differ.
  package var between: SignalDistance?
}

extension RealityClass {
  /// Compares the class with its recordings.
  ///
  /// - Throws: When a recording is missing or can't be read.
  package func compare(in library: SceneLibrary) throws(RecordingError) -> RealityResult {
    var result = RealityResult(name: name, about: about, halves: [], between: nil)
    for half in SceneHalf.allCases {
      if let compared = try compare(half, in: library) { result.halves.append(compared) }
    }
    if result.halves.count == 2 {
      result.between = SignalDistance(result.halves[1].recorded, result.halves[0].recorded)
    }
    return result
  }

  private func compare(_ half: SceneHalf, in library: SceneLibrary) throws(RecordingError) -> RealityResult.Half? {
    let chosen = sources.filter { $0.half == half }
    guard !chosen.isEmpty else { return nil }
    var recorded: [SignalStretch] = []
    var played = [[SignalStretch]](repeating: [], count: models.count)
    var hertz = 0.0
    for (number, source) in chosen.enumerated() {
      let recording = try RealityRecording(source.file, speeds: source.speeds, in: library)
      hertz = recording.hertz
      let ranges = recording.stretches(
        from: source.from, to: source.to, speeds: speeds, shortest: min(8, 2 / lowest))
      for range in ranges {
        let windows = RealityClass.windows(recording.samples.part(range), recording, range, share)
        recorded += windows
        let speeds = range.map { recording.speed(at: recording.times[$0]) }
        for (place, model) in models.enumerated() {
          for repetition in 0..<UInt64(model.members) {
            let seed = 11 &+ UInt64(number) &* 7 &+ UInt64(range.lowerBound) &+ repetition &* 7919
            let stretch = model.play(recording.hertz, speeds, seed)
            // A model of one kind of road is all of it; that of all roads is divided as the recording was.
            played[place] +=
              model.isOneRoad ? [stretch] : RealityClass.windows(stretch, recording, range, share)
          }
        }
      }
    }
    let figures = SignalFigures(recorded, hertz: hertz, lowest: lowest, wantsAllan: isRest)
    var compared = RealityResult.Half(
      half: half, files: chosen.map { $0.file.split(separator: "/").last.map(String.init) ?? $0.file },
      seconds: Double(recorded.reduce(0) { $0 + $1.count }) / hertz, recorded: figures, models: [])
    for (place, model) in models.enumerated() {
      let own = SignalFigures(played[place], hertz: hertz, lowest: lowest, wantsAllan: isRest)
      compared.models.append((model.name, model.isFitted, own, SignalDistance(own, figures)))
    }
    return compared
  }

  /// The parts of a stretch that a share wants: pieces of eight seconds, by the scatter of the force over the speed.
  private static func windows(
    _ stretch: SignalStretch, _ recording: RealityRecording, _ range: Range<Int>, _ share: Share
  ) -> [SignalStretch] {
    guard share != .all else { return [stretch] }
    let length = Int((8 * recording.hertz).rounded())
    var pieces: [(part: SignalStretch, roughness: Double)] = []
    var start = 0
    while start + length <= stretch.count {
      let part = stretch.part(start..<start + length)
      let middle = recording.times[range.lowerBound + start + length / 2]
      let scatter = SignalFigures([part], hertz: recording.hertz, lowest: 1).windows.force
      let mean = scatter.reduce(0, +) / Double(max(1, scatter.count))
      pieces.append((part, mean / max(1, recording.speed(at: middle))))
      start += length
    }
    pieces.sort { $0.roughness < $1.roughness }
    let third = pieces.count / 3
    return (share == .smooth ? pieces.prefix(third) : pieces.suffix(third)).map(\.part)
  }
}

import Quantities
import Recording
import TrackerRuntime
import TrackerCore

/// A recording in memory, to be replayed again and again.
final class WhyRecording: Sendable {
  /// What the tracker takes, with the bytes of those that have some.
  let inputs: [(input: TrackerInput, payload: [UInt8])]
  private let configurationText: String?
  private let file: String

  /// More than this is not held: 10 h at 100 Hz.
  static let largest = 4_000_000

  init(_ paths: [String]) throws(CommandFailure) {
    var sources: [any RecordingImporter] = []
    for path in paths {
      sources.append(try reading { () throws(RecordingError) in try openRecording(path, port: Port.gnss.rawValue) })
    }
    let source =
      sources.count == 1
      ? sources[0] : try reading { () throws(RecordingError) in try MergedRecording(sources) }
    var inputs: [(input: TrackerInput, payload: [UInt8])] = []
    while let input = try reading({ () throws(RecordingError) in try source.next() }) {
      switch input {
      case .tick, .inertial, .fix, .reading, .restoration, .bytes, .command:
        inputs.append((input, source.payload))
      // This replay has a server of its own.
      case .acknowledgement, .settlement, .spooled, .recalled, .spoolCount: inputs.append((.tick(input.time), []))
      }
      guard inputs.count <= WhyRecording.largest else {
        throw .environment(
          "\(paths[0]): more than \(TimeText.count(WhyRecording.largest)) inputs; give the part about the alert")
      }
    }
    self.inputs = inputs
    file = paths[0]
    configurationText = sources.compactMap { ($0 as? LeashLogImporter)?.configurationText }.first
  }

  /// What a log was written with, or the default.
  func configuration() throws(CommandFailure) -> RunConfiguration {
    guard let configurationText else { return RunConfiguration() }
    do throws(RunConfiguration.Refusal) {
      return try RunConfiguration(text: configurationText)
    } catch {
      throw .environment("\(file): setting '\(error.name)' in its configuration is unknown to this version")
    }
  }
}

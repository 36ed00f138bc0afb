/// The inputs of a Leash log, exactly as they were written; configuration, actions, outputs and notes are passed over.
public final class LeashLogImporter: RecordingImporter {
  /// `Leash log`.
  public let formatName = "Leash log"
  /// The tracker's own clock.
  public let timeline = Timeline(basis: .elapsed)

  private let reader: LeashLogReader
  private var inputCount = 0

  init(_ window: ByteWindow) throws(RecordingError) { reader = try LeashLogReader(window: window) }

  /// What was passed over; lines are byte offsets.
  public var reports: [ImportReport] {
    var report = reader.report
    report.inputCount = inputCount
    return [report]
  }

  /// Bytes of the last input.
  public var payload: [UInt8] { reader.payload }

  /// The next input.
  public func next() throws(RecordingError) -> RecordedInput? {
    while let record = try reader.next() {
      guard case .input(let input) = record else { continue }
      inputCount += 1
      return input
    }
    return nil
  }
}

import Telemetry

/// What a server has answered last: one that says the same to each packet asks once, not each time.
///
/// What it answers to an answer, or does not, shows nothing: that is refused in any case.
struct AnswerMemory {
  private var text: [UInt8] = []
  private var answered: UInt32?
  /// Delivered, and not answered so far.
  private var silent: UInt32?
  /// Answers of the tracker that are on their way; the oldest of more than a window's are forgotten.
  private var ownAnswers: [UInt32] = []

  /// Takes note of a packet that goes to the server.
  mutating func sent(_ sequence: UInt32, _ kind: PacketKind) {
    guard kind == .status, !ownAnswers.contains(sequence) else { return }
    if ownAnswers.count == 32 { ownAnswers.removeFirst() }
    ownAnswers.append(sequence)
  }

  /// Takes note of a packet that the server has; its answer comes before this or after.
  mutating func delivered(_ sequence: UInt32) {
    if let place = ownAnswers.firstIndex(of: sequence) {
      ownAnswers.remove(at: place)
      return
    }
    guard sequence != answered else { return }
    pass(to: sequence)
    silent = sequence
  }

  /// A packet before that had no answer is as good as one with another.
  private mutating func pass(to sequence: UInt32) {
    if silent != nil, silent != sequence { text = [] }
    silent = nil
  }

  /// Takes the answer to a packet that is none itself.
  ///
  /// - Returns: Whether it is that to the packet before, with none between that had no answer.
  mutating func isSame(_ answer: [UInt8], to sequence: UInt32) -> Bool {
    pass(to: sequence)
    answered = sequence
    guard answer != text else { return true }
    text = answer
    return false
  }
}

#if HANGS
  import ASCIIText
  import BoardHealth
  import CPUSupport

  /// How the loop is to fail, in the image that is tested with it: kept over resets, as some parts come only after one.
  enum Plan {
    /// What happens.
    enum Failure: UInt32 {
      /// It does nothing more; interrupts are taken.
      case hang
      /// It does nothing more, and interrupts are held.
      case silence
      /// An instruction that does not exist.
      case instruction
      /// An address that does not exist.
      case address
      /// A function overwrites the frame of its stack.
      case stack
      /// The stack grows without an end.
      case overflow
    }

    private static var mark: UInt32 { 0x504C }

    /// Plans a failure.
    ///
    /// - Parameters:
    ///   - part: Where.
    ///   - count: How often, in as many lives.
    static func set(_ failure: Failure, in part: LoopPart, count: UInt8) {
      cpu_keep(
        UInt32(KEPT_PLAN),
        mark << 16 | failure.rawValue << 12 | UInt32(part.rawValue) << 8 | UInt32(count))
    }

    /// Takes a line `@hang PART FAILURE COUNT`; false when it is another. Where the part comes only at a start, the board restarts.
    static func take(_ line: Span<UInt8>) -> Bool {
      var words = TextWords()
      guard let first = words.next(in: line), first.equals("@hang", in: line), let part = words.next(in: line),
        let failure = words.next(in: line), let times = words.next(in: line),
        let count = scanUnsigned(times.bytes(of: line))
      else { return false }
      for number in 0..<UInt8(LoopPart.count) {
        guard let found = LoopPart(rawValue: number), part.equals(found.name, in: line) else { continue }
        let failures: InlineArray<6, StaticString> = [
          "hang", "silence", "instruction", "address", "stack", "overflow",
        ]
        for place in 0..<6 where failure.equals(failures[place], in: line) {
          guard let kind = Failure(rawValue: UInt32(place)) else { continue }
          set(kind, in: found, count: UInt8(truncatingIfNeeded: count))
          guard found == .start || found == .restore else { return true }
          Kept.ledger.pointee.noteRequest()
          cpu_reset()
        }
      }
      return false
    }

    /// Fails where that is planned.
    @inline(never) static func fail(in part: LoopPart) {
      let word = cpu_kept(UInt32(KEPT_PLAN))
      guard word >> 16 == mark, word & 0xFF > 0, word >> 8 & 0xF == UInt32(part.rawValue) else { return }
      cpu_keep(UInt32(KEPT_PLAN), word - 1)
      switch Failure(rawValue: word >> 12 & 0xF) {
      case .hang: cpu_hang()
      case .silence:
        cpu_hold_interrupts()
        cpu_hang()
      case .instruction: cpu_undefined()
      case .address: cpu_wrong_address()
      case .stack: stackProtectorFailed()
      case .overflow: cpu_overflow_stack()
      case nil: break
      }
    }
  }
#endif

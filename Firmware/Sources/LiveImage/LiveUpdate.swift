import ASCIIText
import BoardHealth
import CPUSupport
import FirmwareUpdate
import FlashStorage

#if SLOTS
  /// Takes an image over the console into the slot that does not run. All but the answer to a line is done in steps, one in a turn of the
  /// loop: the longest is a block that is erased.
  struct LiveUpdate: ~Copyable {
    private var parts: Parts?
    /// True when an image is whole, and starts when the board does next.
    private(set) var isReceived = false

    private struct Parts: ~Copyable {
      private var memory: FileFlash
      private var console: UpdateConsole

      init(_ memory: consuming FileFlash, _ console: UpdateConsole) {
        self.memory = memory
        self.console = console
      }

      var isReceived: Bool { console.isReceived }

      mutating func take(_ line: Span<UInt8>, into sink: inout ConsoleSink) -> Bool {
        console.take(line, at: Clock.milliseconds, in: &memory, into: &sink)
      }

      mutating func step() -> Bool {
        var sink = ConsoleSink()
        let start = Clock.microseconds
        let isBusy = console.step(at: Clock.milliseconds, in: &memory, into: &sink)
        // An emulator that takes interrupts of the timer away lets its time go back by a millisecond.
        let took = UInt32(clamping: Int64(truncatingIfNeeded: Clock.microseconds &- start))
        if isBusy, took > console.longestStep { console.longestStep = took }
        return isBusy
      }
    }

    /// Where there are no slots, it takes nothing, and says so.
    init() {
      guard let slot = LiveTrial.running, let file = openSlots(), let memory = FileFlash(file) else { return }
      let target = ImageTarget(board: Board.name, key: Ed25519Key(updateKey), slots: Board.slots)
      parts = Parts(memory, UpdateConsole(target, running: slot))
    }

    /// Answers a line that begins with `@update`; false when its words make no sense.
    mutating func take(_ line: Span<UInt8>, into sink: inout ConsoleSink) -> Bool {
      let before = enter(.storage)
      defer { enter(before) }
      guard let isTaken = parts?.take(line, into: &sink) else {
        sink.append("@update null")
        return true
      }
      return isTaken
    }

    /// Does a piece of what is to be done; true when there is more.
    mutating func step() -> Bool {
      enter(.storage)
      guard let isBusy = parts?.step() else { return false }
      isReceived = parts?.isReceived == true
      return isBusy
    }

    /// Says that the board restarts with it.
    func tellRestart() {
      var sink = ConsoleSink()
      sink.append("@update {\"restart\":\"")
      sink.append(LiveTrial.running?.other.name ?? "")
      sink.append("\"}\n")
    }
  }
#else
  /// An image that is in no slot takes no other.
  struct LiveUpdate: ~Copyable {
    mutating func take(_ line: Span<UInt8>, into sink: inout ConsoleSink) -> Bool {
      sink.append("@update null")
      return true
    }
    mutating func step() -> Bool { false }
    var isReceived: Bool { false }
    func tellRestart() {}
  }
#endif

extension IdleConsole {
  /// A board that does without its tracker takes an image, too, and restarts with it at once.
  mutating func advanceUpdate() -> Bool {
    let isBusy = update.step()
    if update.isReceived {
      update.tellRestart()
      Kept.ledger.pointee.noteRequest()
      cpu_reset()
    }
    return isBusy
  }
}

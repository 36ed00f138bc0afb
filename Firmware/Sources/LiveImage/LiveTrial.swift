#if SLOTS
  import ASCIIText
  import BoardHealth
  import CPUSupport
  import FirmwareUpdate
  import FlashStorage
  import _Volatile

  /// What a live image in a slot does about being confirmed.
  struct LiveTrial: ~Copyable {
    private var memory: FileFlash
    private var trial: UpdateTrial
    private let slot: ImageSlot

    /// The slot that runs: where the processor has its vectors (VTOR, DDI 0403 section B3.2.5).
    static var running: ImageSlot? {
      let vectors = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_ED08).load()
      return Board.slots.address(of: .a) == vectors ? .a : Board.slots.address(of: .b) == vectors ? .b : nil
    }

    /// nil when it runs in no slot, or where there is no memory with slots.
    init?() {
      guard let slot = LiveTrial.running, let file = openSlots(), var memory = FileFlash(file) else { return nil }
      let state = Board.slots.state(of: slot, in: &memory)
      trial = UpdateTrial(isTrial: !state.isConfirmed)
      self.slot = slot
      self.memory = memory
    }

    /// Does what is to be done: in a turn of the loop.
    mutating func look(delivered: UInt32) {
      if delivered > 0 { trial.noteDelivery() }
      switch trial.task(at: Clock.milliseconds) {
      case .nothing: return
      case .restart:
        Kept.ledger.pointee.noteRequest()
        cpu_reset()
      case .confirm:
        let before = enter(.storage)
        if Board.slots.write(.confirmed, to: slot, in: &memory) {
          trial.noteConfirmed()
          var sink = ConsoleSink()
          sink.append("@update {\"confirmed\":\"")
          sink.append(slot.name)
          sink.append("\"}\n")
        }
        enter(before)
      }
    }
  }

  extension Kept {
    /// Forgets what the image of the other slot has done, when that ran before: it is no reason to do without anything now.
    static func noteSlot() {
      let word = 0x534C_4F00 | UInt32(LiveTrial.running?.rawValue ?? 2)
      let before = cpu_kept(UInt32(KEPT_SLOT))
      cpu_keep(UInt32(KEPT_SLOT), word)
      if before != word { ledger.pointee.noteOtherImage() }
    }
  }
#endif

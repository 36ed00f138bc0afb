import BoardHealth
import CPUSupport
import _Volatile

// The watch over the loop, and what happens when it or the processor fails: it is noted in memory that a reset does not clear, and the
// board restarts. What hangs is noticed three times over: by the timer's interrupt after four seconds, which knows where the program
// was; where interrupts are held, by that of the board's watchdog, if it has one; else by its reset.

/// The ledger of the lives of this board, where a reset leaves it.
enum Kept {
  static var ledger: UnsafeMutablePointer<RestartLedger> {
    cpu_kept_ledger().assumingMemoryBound(to: RestartLedger.self)
  }

  /// What the loop does; nil when the word is none that was written here.
  static var part: LoopPart? {
    let word = cpu_kept(UInt32(KEPT_PART))
    return word >> 8 == partMark ? LoopPart(rawValue: UInt8(truncatingIfNeeded: word)) : nil
  }

  fileprivate static var partMark: UInt32 { 0x4C6F6F }

  /// Begins a life.
  static func begin() {
    let hardware = Board.takeResetCause()
    ledger.pointee.begin(
      hardware, part: part, stackUsed: cpu_kept(UInt32(KEPT_STACK)), stackRoom: cpu_stack_room())
  }
}

/// The loop turns to a part; that which it did before.
@discardableResult func enter(_ part: LoopPart) -> LoopPart {
  let before = Kept.part ?? .start
  cpu_keep(UInt32(KEPT_PART), Kept.partMark << 8 | UInt32(part.rawValue))
  #if HANGS
    Plan.fail(in: part)
  #endif
  return before
}

/// The watchdog of the board, and that of the timer before it.
enum Watch {
  /// Milliseconds that the loop may take to go through all its parts.
  private static var limit: UInt32 { 4000 }

  /// Starts both.
  static func start() {
    feed()
    Board.startWatchdog()
  }

  /// Lets them begin anew.
  static func feed() {
    cpu_store(&limitPassed, Clock.milliseconds &+ limit)
    Board.feedWatchdog()
  }
}

/// When the loop has taken too long; 0 before it is watched.
nonisolated(unsafe) private var limitPassed: UInt32 = 0

/// The timer's interrupt, each millisecond.
@c(tick_taken) func tickTaken(_ frame: UInt32, _ link: UInt32) {
  Clock.tick()
  let end = cpu_load(&limitPassed)
  if end > 0, Int32(bitPattern: Clock.milliseconds &- end) >= 0 {
    note(.watchdog, frame, link)
    cpu_reset()
  }
}

/// Every other exception: a fault, or the watchdog of a board that interrupts first.
@c(fault_taken) func faultTaken(_ frame: UInt32, _ link: UInt32) {
  // NMI has the number 2. What it says is noted, and the watchdog left to reset the board.
  guard cpu_exception() == 2 else {
    note(cpu_has_hit_guard() != 0 ? .stack : .fault, cpu_has_no_frame() != 0 ? 0 : frame, link)
    cpu_reset()
  }
  note(.watchdog, frame, link)
  cpu_hang()
}

/// Called when a function finds its stack frame overwritten.
@c(__stack_chk_fail) func stackProtectorFailed() {
  note(.stack, 0, 0)
  cpu_reset()
}

/// Notes a crash.
///
/// - Parameters:
///   - frame: Where the exception has put registers; 0 when there was none.
///   - link: What it has put into the link register.
private func note(_ cause: RestartCause, _ frame: UInt32, _ link: UInt32) {
  var record = FaultRecord()
  record.cause = cause
  record.part = Kept.part ?? .start
  record.uptime = Clock.milliseconds
  record.exception = cpu_exception()
  // DDI 0403, section B1.5.6: registers 0 to 3 and 12, link register, place and state.
  if cpu_is_frame(frame) != 0 {
    for place in 0..<UInt32(4) { record.registers[Int(place)] = cpu_word(frame + 4 * place) }
    for place in 0..<UInt32(8) { record.registers[Int(4 + place)] = cpu_kept(UInt32(KEPT_REGISTERS) + place) }
    record.registers[12] = cpu_word(frame + 16)
    for place in 0..<UInt32(3) { record.registers[Int(14 + place)] = cpu_word(frame + 20 + 4 * place) }
    // Bit 4 of the link register is clear when floating-point registers are in the frame, too; bit 9 of the state when a word was
    // left free to align it.
    let size: UInt32 = link & 1 << 4 == 0 ? 104 : 32
    record.registers[13] = frame + size + (record.registers[16] & 1 << 9 != 0 ? 4 : 0)
    record.exceptionReturn = link
  }
  // CFSR, HFSR, MMFAR, BFAR: DDI 0403, sections B3.2.15 to B3.2.18.
  let addresses: InlineArray<4, UInt> = [0xE000_ED28, 0xE000_ED2C, 0xE000_ED34, 0xE000_ED38]
  for place in 0..<4 {
    record.faultStatus[place] = VolatileMappedRegister<UInt32>(unsafeBitPattern: addresses[place]).load()
  }
  Kept.ledger.pointee.note(record)
}

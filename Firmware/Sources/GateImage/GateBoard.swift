/// The gate's image needs nothing of a board: it talks by semihosting, and nothing interrupts it.
enum Board {
  static func prepare() {}
}

/// SysTick is off; should it come all the same, the run ends as with any other exception.
@c(tick_taken) func tickTaken(_ frame: UInt32, _ link: UInt32) { faultTaken(frame, link) }

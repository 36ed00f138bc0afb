import CPUSupport

/// What the calls into the core came to.
struct CoreRun {
  /// FNV-1a over every result in turn; the same on every target that computes the same bits.
  private(set) var fingerprint: UInt32 = 0x811C_9DC5
  /// Zero, or the number of the first expectation that failed, counted from one.
  private(set) var failureCode: UInt32 = 0
  /// Memory of the big values on this target; no part of the fingerprint.
  var sizes = ValueSizes()
  /// Which of the modem's exchanges were heard, a bit each; no part of the fingerprint.
  private(set) var modemExchangesHeard = (UInt64(0), UInt64(0))
  /// The stack of the doors; no part of the fingerprint.
  var stack = StackDepths()
  private var expectationCount: UInt32 = 0

  /// Mixes one word of a result into the fingerprint.
  mutating func note(_ word: UInt32) {
    var rest = word
    for _ in 0..<4 {
      fingerprint = (fingerprint ^ (rest & 0xFF)) &* 0x0100_0193
      rest >>= 8
    }
  }

  mutating func note(_ number: Float) { note(number.bitPattern) }

  mutating func note(_ number: Int64) {
    note(UInt32(truncatingIfNeeded: number))
    note(UInt32(truncatingIfNeeded: number >> 32))
  }

  mutating func note(_ number: Double) { note(Int64(bitPattern: number.bitPattern)) }

  /// Remembers that a command was heard.
  mutating func cover(exchange place: Int) {
    if place < 64 {
      modemExchangesHeard.0 |= 1 << UInt64(place)
    } else {
      modemExchangesHeard.1 |= 1 << UInt64(place - 64)
    }
  }

  /// Remembers the first statement that does not hold.
  mutating func expect(_ holds: Bool) {
    expectationCount += 1
    if !holds && failureCode == 0 { failureCode = expectationCount }
  }
}

/// A byte the compiler cannot know at build time.
func opaque(_ value: UInt8) -> UInt8 { UInt8(truncatingIfNeeded: cpu_opaque(UInt32(value))) }

/// A number the compiler cannot know at build time.
func opaque(_ value: Float) -> Float { Float(bitPattern: cpu_opaque(value.bitPattern)) }

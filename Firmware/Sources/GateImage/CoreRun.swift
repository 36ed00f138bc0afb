import CPUSupport

/// What the calls into the core came to.
struct CoreRun {
  /// FNV-1a over every result in turn; the same on every target that computes the same bits.
  private(set) var fingerprint: UInt32 = 0x811C_9DC5
  /// Expectations that do not hold.
  private(set) var failures = FailureReport()
  /// Memory of the big values on this target; no part of the fingerprint.
  var sizes = ValueSizes()
  /// Which of the modem's exchanges were heard, a bit each; no part of the fingerprint.
  private(set) var modemExchangesHeard = (UInt64(0), UInt64(0))
  /// The stack of the doors; no part of the fingerprint.
  var stack = StackDepths()

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

  /// Remembers a statement that does not hold, by its place in the sources.
  mutating func expect(_ holds: Bool, file: StaticString = #fileID, line: Int = #line) {
    if !holds { failures.begin(file, line: line) }
  }

  /// The same, with what it is about.
  mutating func expect(_ holds: Bool, about text: StaticString, file: StaticString = #fileID, line: Int = #line) {
    guard !holds else { return }
    failures.begin(file, line: line)
    failures.append(text)
  }

  /// Remembers that something came which was not to come.
  mutating func refuse(_ bytes: Span<UInt8>, file: StaticString = #fileID, line: Int = #line) {
    failures.begin(file, line: line)
    var place = 0
    while place < bytes.count {
      failures.append(bytes[place])
      place += 1
    }
  }
}

/// What did not hold, a line each: the place in the sources, and what it is about.
struct FailureReport {
  private static var capacity: Int { 2048 }

  /// Zero when all went well.
  private(set) var count: UInt32 = 0
  /// Bytes of the text; what does not fit is left out.
  private(set) var textCount = 0
  private var text = InlineArray<2048, UInt8>(repeating: 0)

  subscript(place: Int) -> UInt8 { text[place] }

  fileprivate mutating func begin(_ file: StaticString, line: Int) {
    if count > 0 { append(0x0A) }
    count += 1
    append(file)
    append(0x3A)
    var power = 1000
    while power > 0 {
      if line >= power || power == 1 { append(0x30 + UInt8(truncatingIfNeeded: line / power % 10)) }
      power /= 10
    }
    append(0x20)
  }

  fileprivate mutating func append(_ words: StaticString) {
    var place = 0
    while place < words.utf8CodeUnitCount {
      append(words.utf8Start[place])
      place += 1
    }
  }

  fileprivate mutating func append(_ byte: UInt8) {
    guard textCount < FailureReport.capacity else { return }
    // A line end, or what a terminal might obey, must not come out as such.
    text[textCount] = byte == 0x0A || (0x20...0x7E).contains(byte) ? byte : 0x3F
    textCount += 1
  }
}

/// A byte the compiler cannot know at build time.
func opaque(_ value: UInt8) -> UInt8 { UInt8(truncatingIfNeeded: cpu_opaque(UInt32(value))) }

/// A number the compiler cannot know at build time.
func opaque(_ value: Float) -> Float { Float(bitPattern: cpu_opaque(value.bitPattern)) }

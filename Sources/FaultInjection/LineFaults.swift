import Quantities

/// A serial line in one direction on which things go wrong: bytes in with their time, bytes out with theirs.
///
/// A value on virtual time; the same seed and the same input give the same faults, however the input is cut into pieces
/// of the same instant. The order of bytes is kept.
package struct LineFaults: Equatable, Sendable {
  /// Most bytes that may be on their way; more are lost and counted.
  package static let capacity = 1 << 18

  private struct Byte: Equatable, Sendable {
    var value: UInt8
    var due: Instant
  }

  /// What goes wrong; may be changed at any time.
  package var rates: LineFaultRates
  /// What has gone wrong.
  package private(set) var counts = LineFaultCounts()

  private var random: SplitMix64
  private var queue: [Byte] = []
  private var head = 0
  /// Nothing comes out before this.
  private var blockedUntil: Instant = .zero
  /// The rest of the present line is lost.
  private var isTearing = false
  /// The line end that is coming is lost.
  private var isMerging = false

  /// A line.
  package init(_ rates: LineFaultRates, seed: UInt64) {
    self.rates = rates
    random = SplitMix64(seed: seed)
  }

  /// Bytes enter the line.
  package mutating func send(_ bytes: [UInt8], at now: Instant) {
    for byte in bytes { send(byte, at: now) }
  }

  /// The bytes that have come through by now, in their order.
  package mutating func take(by now: Instant) -> [UInt8] {
    var result: [UInt8] = []
    while head < queue.count, queue[head].due <= now {
      result.append(queue[head].value)
      head += 1
    }
    if head == queue.count || head > 4_096 {
      queue.removeFirst(head)
      head = 0
    }
    return result
  }

  /// When the next byte comes through.
  package var nextDeadline: Instant? { head < queue.count ? queue[head].due : nil }

  /// The same, without a copy of the line.
  package mutating func lookAtDeadline() -> Instant? { nextDeadline }

  /// Forgets what is on its way, as when the cable is pulled.
  package mutating func clear() {
    queue = []
    head = 0
    isTearing = false
    isMerging = false
  }

  private mutating func send(_ byte: UInt8, at now: Instant) {
    let isEnd = byte == 0x0D || byte == 0x0A
    if isTearing {
      if byte == 0x0A { isTearing = false }
      return
    }
    if isEnd {
      if byte == 0x0D { isMerging = happens(rates.mergedLinesPerMillion) }
      if isMerging {
        if byte == 0x0A {
          isMerging = false
          counts.merged += 1
        }
        return
      }
    } else {
      isMerging = false
      if happens(rates.tornLinesPerMillion) {
        isTearing = true
        counts.torn += 1
        return
      }
    }
    if happens(rates.lossPerMillion) {
      counts.lost += 1
      return
    }
    var value = byte
    if happens(rates.corruptionPerMillion) {
      value ^= 1 << UInt8(random.next() & 7)
      counts.corrupted += 1
    }
    if happens(rates.stallPerMillion) {
      blockedUntil = max(blockedUntil, now) + rates.stall
      counts.stalls += 1
    } else if happens(rates.fragmentationPerMillion) {
      blockedUntil = max(blockedUntil, now) + rates.fragmentGap
      counts.fragments += 1
    }
    append(value, at: now)
    if happens(rates.duplicationPerMillion) {
      append(value, at: now)
      counts.duplicated += 1
    }
  }

  private mutating func append(_ value: UInt8, at now: Instant) {
    guard queue.count - head < LineFaults.capacity else {
      counts.overflowed += 1
      return
    }
    var due = max(now, blockedUntil)
    if rates.delay.microseconds > 0 {
      due = due + Interval(microseconds: Int64(below(UInt64(rates.delay.microseconds))))
    }
    if let last = queue.last { due = max(due, last.due) }
    queue.append(Byte(value: value, due: due))
  }

  // MARK: Chance

  private mutating func happens(_ perMillion: Int) -> Bool {
    perMillion > 0 && below(1_000_000) < UInt64(perMillion)
  }

  private mutating func below(_ bound: UInt64) -> UInt64 { random.next().multipliedFullWidth(by: bound).high }
}

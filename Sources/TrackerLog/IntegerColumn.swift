/// Codes up to 64 integers so that regular and noisy sequences both become short.
///
/// A predictor leaves residuals; they are written with a Rice code. Arithmetic wraps, so every sequence of `Int64` is
/// coded without loss. Form: a byte with predictor (bits 6 and 7) and Rice parameter (bits 0 to 5), the start values as
/// signed varints, then the residuals as bits, filled up to a whole byte.
package enum IntegerColumn {
  /// What the residual of a value is taken against.
  package enum Predictor: UInt8 {
    /// A centre stored first.
    case constant = 0
    /// The value before.
    case previous = 1
    /// The value before plus its own step.
    case slope = 2
    /// The value before plus a fixed step stored first.
    case drift = 3
  }

  /// Ones of a quotient after which a residual is written in full.
  package static let escapeQuotient: UInt64 = 20

  /// Reads `count` values; damage shows in the reader.
  static func decode(
    _ count: Int, from payload: inout PayloadReader, into values: inout InlineArray<64, Int64>
  ) {
    let head = payload.byte()
    guard let predictor = Predictor(rawValue: head >> 6) else { return }
    let parameter = UInt64(head & 63)
    let start = payload.signed()
    let step = predictor == .slope || predictor == .drift ? payload.signed() : 0
    var state = State(predictor: predictor, start: start, step: step)
    let first = state.firstResidual
    if first > 0, count > 0 { values[0] = start }
    if first > 1, count > 1 { values[1] = start &+ step }
    var reader = BitReader()
    for index in first..<max(first, count) {
      var quotient: UInt64 = 0
      while quotient < escapeQuotient, reader.bit(from: &payload) == 1 { quotient += 1 }
      var residual: UInt64
      if quotient < escapeQuotient {
        residual = quotient << parameter | reader.bits(parameter, from: &payload)
      } else {
        residual = reader.bits(32, from: &payload)
        residual |= reader.bits(32, from: &payload) << 32
      }
      if payload.isDamaged { return }
      values[index] = state.prediction &+ unzigzag(residual)
      state.advance(values[index])
    }
  }

  /// The running prediction.
  package struct State {
    package let predictor: Predictor
    package private(set) var prediction: Int64
    private var last: Int64
    private let step: Int64

    /// Index of the first value that is not known from the start values alone.
    package var firstResidual: Int {
      switch predictor {
      case .constant: return 0
      case .previous, .drift: return 1
      case .slope: return 2
      }
    }

    package init(predictor: Predictor, start: Int64, step: Int64) {
      self.predictor = predictor
      self.step = step
      switch predictor {
      case .constant, .previous:
        prediction = start
        last = start
      case .drift:
        prediction = start &+ step
        last = start
      case .slope:
        last = start &+ step
        prediction = last &+ step
      }
    }

    package mutating func advance(_ value: Int64) {
      switch predictor {
      case .constant: break
      case .previous: prediction = value
      case .drift: prediction = value &+ step
      case .slope:
        prediction = value &+ (value &- last)
        last = value
      }
    }
  }
}

/// Bits from bytes, least significant first.
struct BitReader {
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0

  mutating func bit(from payload: inout PayloadReader) -> UInt64 {
    if pendingCount == 0 {
      pending = UInt64(payload.byte())
      pendingCount = 8
    }
    let bit = pending & 1
    pending >>= 1
    pendingCount -= 1
    return bit
  }

  mutating func bits(_ count: UInt64, from payload: inout PayloadReader) -> UInt64 {
    var value: UInt64 = 0
    var have: UInt64 = 0
    while have < count {
      if pendingCount == 0 {
        pending = UInt64(payload.byte())
        pendingCount = 8
      }
      let taken = min(count - have, pendingCount)
      value |= (pending & ((1 << taken) - 1)) << have
      pending >>= taken
      pendingCount -= taken
      have += taken
    }
    return value
  }
}

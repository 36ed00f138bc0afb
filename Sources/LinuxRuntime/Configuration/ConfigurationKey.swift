import ASCIIText
import JSON5
import Quantities
import SIM7000
import Uplinks

/// One key of the configuration: everything there is to say about it.
package struct ConfigurationKey: Sendable {
  /// Name inside its section, with dots for objects inside it: `mqtt.host`.
  package let name: String
  /// Its name in earlier versions, which is still read; nil when it never had another.
  package var earlierName: String?
  /// Kind of value and range.
  package let type: ConfigurationType
  /// Unit of the value; nil for none.
  package let unit: String?
  /// What it does, in one sentence or two.
  package let help: String
  /// A value that is right, as it is written.
  package let example: String
  /// True when its section is not complete without it.
  package let isRequired: Bool
}

/// Text as JSON and JSON5 have it.
func quoted(_ text: String) -> String { json5Quoted(text) }

/// A key together with how it sets its part of a settings value, and how it is read from there.
struct BoundKey<Root: Sendable>: Sendable {
  typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

  let key: ConfigurationKey
  /// The value of the settings; nil when it is not set.
  let get: @Sendable (Root) -> ConfigurationValue?
  /// Sets the value, which has the right type; what would be right when it does not fit.
  let set: @Sendable (inout Root, ConfigurationValue) -> String?

  init(
    _ name: String, _ type: ConfigurationType, unit: String? = nil, _ help: String, example: String,
    isRequired: Bool = false, earlierName: String? = nil, get: @escaping @Sendable (Root) -> ConfigurationValue?,
    set: @escaping @Sendable (inout Root, ConfigurationValue) -> String?
  ) {
    key = ConfigurationKey(
      name: name, earlierName: earlierName, type: type, unit: unit, help: help, example: example, isRequired: isRequired
    )
    self.get = get
    self.set = set
  }

  static func text(
    _ name: String, _ path: Path<String>, _ help: String, bytes: ClosedRange<Int> = 1...256, example: String,
    isRequired: Bool = false, expectation: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> BoundKey {
    BoundKey(
      name, .text(bytes), help, example: quoted(example), isRequired: isRequired,
      get: { $0[keyPath: path].isEmpty ? nil : .text($0[keyPath: path]) },
      set: { root, value in
        guard case .text(let text) = value else { return nil }
        if let expectation = expectation(text) { return expectation }
        root[keyPath: path] = text
        return nil
      })
  }

  static func optionalText(
    _ name: String, _ path: Path<String?>, _ help: String, bytes: ClosedRange<Int> = 1...256, example: String,
    expectation: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> BoundKey {
    BoundKey(
      name, .text(bytes), help, example: quoted(example),
      get: { $0[keyPath: path].map { .text($0) } },
      set: { root, value in
        guard case .text(let text) = value else { return nil }
        if let expectation = expectation(text) { return expectation }
        root[keyPath: path] = text
        return nil
      })
  }

  /// A list of some of these words.
  static func words(
    _ name: String, _ path: Path<[String]>, _ words: [String], _ help: String, example: [String]
  ) -> BoundKey {
    BoundKey(
      name, .words(words), help, example: ConfigurationValue.words(example).text,
      get: { $0[keyPath: path].isEmpty ? nil : .words($0[keyPath: path]) },
      set: { root, value in
        if case .words(let words) = value { root[keyPath: path] = words }
        return nil
      })
  }

  static func path(
    _ name: String, _ path: Path<String>, _ help: String, example: String, isRequired: Bool = false,
    expectation: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> BoundKey {
    let text = text(
      name, path, help, example: example, isRequired: isRequired, expectation: expectation)
    return BoundKey(
      name, .path, help, example: quoted(example), isRequired: isRequired, get: text.get, set: text.set)
  }

  static func optionalPath(_ name: String, _ path: Path<String?>, _ help: String, example: String) -> BoundKey {
    let text = optionalText(name, path, help, example: example)
    return BoundKey(name, .path, help, example: quoted(example), get: text.get, set: text.set)
  }

  /// Text that can stand in a command to the modem.
  static func modemText<let capacity: Int>(
    _ name: String, _ path: Path<ModemText<capacity>>, _ help: String, bytes: ClosedRange<Int>? = nil,
    example: String, expectation: @escaping @Sendable (ModemText<capacity>) -> String? = { _ in nil }
  ) -> BoundKey {
    BoundKey(
      name, .text(bytes ?? 1...capacity), help, example: quoted(example),
      get: { $0[keyPath: path].isEmpty ? nil : .text($0[keyPath: path].string) },
      set: { root, value in
        guard case .text(let text) = value else { return nil }
        guard let kept = ModemText<capacity>(string: text) else { return modemTextExpectation(capacity) }
        if let expectation = expectation(kept) { return expectation }
        root[keyPath: path] = kept
        return nil
      })
  }

  /// A secret that can stand in a command to the modem.
  static func modemSecret<let capacity: Int>(
    _ name: String, _ path: Path<ModemText<capacity>>, _ help: String, example: String,
    expectation: @escaping @Sendable (ModemText<capacity>) -> String? = { _ in nil }
  ) -> BoundKey {
    BoundKey(
      name, .secret, help, example: quoted(example),
      get: { $0[keyPath: path].isEmpty ? nil : .secret(Secret($0[keyPath: path].string), .literal) },
      set: { root, value in
        guard case .secret(let secret, _) = value else { return nil }
        guard let kept = ModemText<capacity>(string: secret.revealed) else {
          return "a secret that is " + modemTextExpectation(capacity)
        }
        if let expectation = expectation(kept) { return expectation }
        root[keyPath: path] = kept
        return nil
      })
  }

  static func secret(_ name: String, _ path: Path<Secret?>, _ help: String, example: String) -> BoundKey {
    BoundKey(
      name, .secret, help, example: quoted(example),
      get: { $0[keyPath: path].map { .secret($0, .literal) } },
      set: { root, value in
        if case .secret(let secret, _) = value { root[keyPath: path] = secret }
        return nil
      })
  }

  static func boolean(_ name: String, _ path: Path<Bool>, _ help: String) -> BoundKey {
    BoundKey(
      name, .boolean, help, example: "true",
      get: { .boolean($0[keyPath: path]) },
      set: { root, value in
        if case .boolean(let value) = value { root[keyPath: path] = value }
        return nil
      })
  }

  static func whole<Whole: FixedWidthInteger & Sendable>(
    _ name: String, _ path: Path<Whole>, _ help: String, _ range: ClosedRange<Int64>, unit: String? = nil,
    example: Int64, isRequired: Bool = false,
    expectation: @escaping @Sendable (Whole) -> String? = { _ in nil }
  ) -> BoundKey {
    BoundKey(
      name, .whole(range), unit: unit, help, example: "\(example)", isRequired: isRequired,
      get: { .number("\($0[keyPath: path])") },
      set: { root, value in
        guard case .number(let digits) = value, let whole = Whole(digits) else { return nil }
        if let expectation = expectation(whole) { return expectation }
        root[keyPath: path] = whole
        return nil
      })
  }

  static func port(_ name: String, _ path: Path<UInt16>, _ help: String, example: Int64) -> BoundKey {
    whole(name, path, help, 1...65535, example: example)
  }

  static func number(
    _ name: String, _ path: Path<Double>, _ help: String, _ range: ClosedRange<Double>, unit: String? = nil,
    example: Double
  ) -> BoundKey {
    BoundKey(
      name, .number(range), unit: unit, help, example: plain(example),
      get: { .number(plain($0[keyPath: path])) },
      set: { root, value in
        if let number = value.double { root[keyPath: path] = number }
        return nil
      })
  }

  static func seconds(
    _ name: String, _ path: Path<Interval>, _ help: String, _ range: ClosedRange<Double>, example: Double
  ) -> BoundKey {
    BoundKey(
      name, .number(range), unit: "s", help, example: plain(example),
      get: { .number(plain(Double($0[keyPath: path].microseconds) / 1_000_000)) },
      set: { root, value in
        if let number = value.double { root[keyPath: path] = Interval(decimalSeconds: number) }
        return nil
      })
  }

  static func choice<Choice: Equatable & Sendable>(
    _ name: String, _ path: Path<Choice>, _ help: String, _ choices: [(word: String, value: Choice)],
    example: String? = nil, isRequired: Bool = false
  ) -> BoundKey {
    BoundKey(
      name, .choice(choices.map(\.word)), help, example: quoted(example ?? choices.first?.word ?? ""),
      isRequired: isRequired,
      get: { root in choices.first { $0.value == root[keyPath: path] }.map { .text($0.word) } },
      set: { root, value in
        if case .text(let word) = value, let choice = choices.first(where: { $0.word == word }) {
          root[keyPath: path] = choice.value
        }
        return nil
      })
  }
}

private func modemTextExpectation(_ capacity: Int) -> String {
  "text of at most \(capacity) bytes without quotes, backslashes and control characters, which the modem can't take"
}

extension Interval {
  /// A decimal number of seconds, to the microsecond; it must be in the range of a key.
  init(decimalSeconds: Double) { self.init(microseconds: Int64((decimalSeconds * 1_000_000).rounded())) }
}

// Commands that only hold a value.

extension SimulatedCommand {
  /// A number that can be read, written and tested.
  static func number(
    _ name: String, _ values: ClosedRange<Int>, _ path: WritableKeyPath<SimulatedModem, Int> & Sendable
  ) -> SimulatedCommand {
    SimulatedCommand(name) { modem, call in
      switch call.form {
      case .test: return Answer.ok.line("\(name): (\(values.lowerBound)-\(values.upperBound))")
      case .read: return Answer.ok.line("\(name): \(modem[keyPath: path])")
      case .write:
        guard let value = call.integer(0, in: values), call.count == 1 else { return .error }
        modem[keyPath: path] = value
        return .ok
      case .execute: return .error
      }
    }
  }

  /// A switch that can be read, written and tested.
  static func flag(_ name: String, _ path: WritableKeyPath<SimulatedModem, Bool> & Sendable) -> SimulatedCommand {
    SimulatedCommand(name) { modem, call in
      switch call.form {
      case .test: return Answer.ok.line("\(name): (0,1)")
      case .read: return Answer.ok.line("\(name): \(modem[keyPath: path] ? 1 : 0)")
      case .write:
        guard let value = call.integer(0, in: 0...1) else { return .error }
        modem[keyPath: path] = value == 1
        return .ok
      case .execute: return .error
      }
    }
  }

  /// A setting that is remembered until the next reset and changes nothing.
  static func remembered(_ name: String, values: String, initial: String) -> SimulatedCommand {
    SimulatedCommand(name) { modem, call in
      switch call.form {
      case .test: return Answer.ok.line("\(name): \(values)")
      case .read: return Answer.ok.line("\(name): \(modem.session.generic[name] ?? initial)")
      case .write:
        guard call.text.count <= 64 else { return .error }
        modem.session.generic[name] = String(decoding: call.text, as: UTF8.self)
        return .ok
      case .execute: return .ok
      }
    }
  }
}

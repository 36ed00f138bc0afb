import InlineStorage
import Quantities
import SIM7000

/// A line of what the driver and the modem said to each other.
package struct DialogueLine: Equatable, Sendable {
  /// Counts lines from 1.
  package var number: Int
  /// When it was whole.
  package var time: Instant
  /// True for what the driver said.
  package var isToModem: Bool
  /// The line without its end; passwords and PIN are stars, bytes that are no text are dots.
  package var text: String
}

/// The last lines of the dialogue with a modem, fit to be shown: what is secret is blanked before it is kept.
///
/// Two nets: commands that carry credentials lose their parameters, also in the modem's echo, and the credentials of the
/// configuration are blanked wherever they stand, those in the server's address too (`AddressSecrets`).
struct ModemDialogue {
  /// Lines that are kept.
  static var capacity: Int { 200 }
  /// Bytes of a line that are kept.
  static var lineLimit: Int { 300 }

  /// Oldest first.
  private(set) var lines: [DialogueLine] = []
  private var count = 0
  private let secrets: [[UInt8]]
  private var heard: [UInt8] = []

  /// Beginnings of commands after which nothing is shown, in capitals.
  private static let confidential: [[UInt8]] = [
    "+CPIN=", "+CPWD=", "+CLCK=", "+CSTT=", "+CNCFG=", "+CGAUTH=", "+SAPBR=3,1,\"USER\"", "+SAPBR=3,1,\"PWD\"",
    "+SMCONF=\"USERNAME\"", "+SMCONF=\"PASSWORD\"", "+HTTPPARA=\"USERDATA\"", "+SHAHEAD=\"AUTHORIZATION\"",
  ].map { Array($0.utf8) }

  /// - Parameter secrets: Texts that are never shown; those of less than three bytes say nothing.
  init(secrets: [[UInt8]] = []) {
    // Stars would be found again in what takes their place.
    self.secrets = secrets.filter { $0.count > 2 && !$0.allSatisfy { $0 == 0x2A } }
  }

  /// A dialogue of a driver, without what it was told in confidence.
  init(of driver: ModemConfiguration) {
    let path = String(decoding: driver.httpPath.bytes.array, as: UTF8.self)
    self.init(
      secrets: [
        driver.pin.bytes.array, driver.accessUser.bytes.array, driver.accessPassword.bytes.array,
        driver.mqttUser.bytes.array, driver.mqttPassword.bytes.array,
      ] + AddressSecrets.secrets(in: path).map { Array($0.utf8) })
  }

  /// Notes what the driver sends: whole commands, or a payload.
  mutating func noteSent(_ bytes: [UInt8], at now: Instant) {
    for line in bytes.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A || $0 == 0x1A }) {
      append(Array(line), isToModem: true, at: now)
    }
  }

  /// Notes what the modem sends, cut anywhere.
  mutating func noteHeard(_ bytes: [UInt8], at now: Instant) {
    for byte in bytes {
      if byte == 0x0D || byte == 0x0A {
        if !heard.isEmpty { append(heard, isToModem: false, at: now) }
        heard = []
      } else if heard.count < ModemDialogue.lineLimit {
        heard.append(byte)
      }
    }
    // The prompt for a payload has no end.
    if heard == [0x3E, 0x20] || heard == [0x3E] {
      append(heard, isToModem: false, at: now)
      heard = []
    }
  }

  private mutating func append(_ line: [UInt8], isToModem: Bool, at now: Instant) {
    var shown = blanked(line)
    if shown.count > ModemDialogue.lineLimit { shown = shown.prefix(ModemDialogue.lineLimit) + Array("…".utf8) }
    if lines.count == ModemDialogue.capacity { lines.removeFirst() }
    count += 1
    lines.append(
      DialogueLine(number: count, time: now, isToModem: isToModem, text: String(decoding: shown, as: UTF8.self)))
  }

  private func blanked(_ line: [UInt8]) -> [UInt8] {
    let stars = Array("***".utf8)
    var text = line.map { $0 < 0x20 || $0 == 0x7F ? 0x2E : $0 }
    let capitals = text.map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }
    for command in ModemDialogue.confidential {
      guard let place = capitals.firstPlace(of: command) else { continue }
      let kept = command.last == 0x3D ? command.count : command.count + 1
      text = text.prefix(place + kept) + stars
      break
    }
    for secret in secrets {
      while let place = text.firstPlace(of: secret) { text.replaceSubrange(place..<place + secret.count, with: stars) }
    }
    return text
  }
}

extension InlineBytes {
  /// The bytes as an array.
  fileprivate var array: [UInt8] { (0..<count).map { self[$0] } }
}

extension [UInt8] {
  /// Where the other array stands first; nil when it does not.
  fileprivate func firstPlace(of other: [UInt8]) -> Int? {
    guard count >= other.count else { return nil }
    return (0...count - other.count).first { self[$0...].starts(with: other) }
  }
}

import ASCIIText
import Quantities
import TrackerRuntime

extension LogRecord {
  /// The record as one line of JSON for people and scripts: `t` in seconds, angles in degrees as in the CSV formats,
  /// bytes as text where they are printable and as hexadecimal digits where not.
  public func json(payload: [UInt8]) -> String {
    var line = JSONLine()
    if let time { line.add("t", seconds(time.microseconds)) }
    switch self {
    case .configuration:
      line.add("kind", text: "configuration")
      line.add(bytes: payload)
    case .input(.inertial(let sample)):
      line.add("kind", text: "inertial")
      line.add("angularRate", sample.angularRate)
      line.add("specificForce", sample.specificForce)
      line.add("magneticFluxDensity", sample.magneticFluxDensity)
    case .input(.fix(let fix)):
      line.add("kind", text: "fix")
      line.add(fix)
    case .input(.reading(let reading)):
      line.add("kind", text: "\(reading.name)")
      line.add(reading)
    case .input(.bytes(let port, _)):
      line.add("kind", text: "bytes")
      line.add("port", "\(port)")
      line.add(bytes: payload)
    case .input(.tick): line.add("kind", text: "tick")
    case .input(.command):
      line.add("kind", text: "command")
      line.add(bytes: payload)
    case .input(.acknowledgement(_, let sequence)):
      line.add("kind", text: "acknowledgement")
      line.add("sequence", "\(sequence)")
    case .input(.settlement(_, let sequence, let receiver, let isDelivered)):
      line.add("kind", text: "settlement")
      line.add("sequence", "\(sequence)")
      line.add("receiver", "\(receiver)")
      line.add("delivered", isDelivered ? "true" : "false")
    case .input(.spooled(_, let sequence, let isKept)):
      line.add("kind", text: "spooled")
      line.add("sequence", "\(sequence)")
      line.add("kept", isKept ? "true" : "false")
    case .input(.recalled(_, let pending)):
      line.add("kind", text: "recalled")
      line.add("pending", "\(pending)")
      line.add(bytes: payload)
    case .input(.spoolCount(_, let count)):
      line.add("kind", text: "spoolCount")
      line.add("count", "\(count)")
    case .input(.restoration):
      line.add("kind", text: "restoration")
      line.add(bytes: payload)
    case .continuation:
      line.add("kind", text: "continuation")
      line.add(bytes: payload)
    case .action:
      line.add("kind", text: "action")
      line.add(bytes: payload)
    case .output(let port, _):
      line.add("kind", text: "output")
      line.add("port", "\(port)")
      line.add(bytes: payload)
    case .note:
      line.add("kind", text: "note")
      line.add(bytes: payload)
    }
    return line.finished
  }
}

/// Microseconds as seconds with six decimals.
private func seconds(_ microseconds: Int64) -> String {
  let magnitude = microseconds.magnitude
  let fraction = "\(magnitude % 1_000_000)"
  let zeros = String(repeating: "0", count: 6 - fraction.utf8.count)
  return "\(microseconds < 0 ? "-" : "")\(magnitude / 1_000_000).\(zeros)\(fraction)"
}

/// Builds one JSON object without line breaks.
private struct JSONLine {
  private var text = "{"

  var finished: String { text + "}" }

  mutating func add(_ name: String, _ value: String) {
    if text.utf8.count > 1 { text += "," }
    text += "\"\(name)\":\(value)"
  }

  mutating func add(_ name: String, text value: String) { add(name, "\"\(value)\"") }

  /// A number; what JSON has no number for becomes null.
  mutating func add(_ name: String, _ value: Double?) {
    guard let value else { return }
    add(name, value.isFinite ? "\(value)" : "null")
  }

  mutating func add(_ name: String, _ vector: Vector3?) {
    guard let vector else { return }
    let parts = [vector.x, vector.y, vector.z].map { $0.isFinite ? "\($0)" : "null" }
    add(name, "[\(parts.joined(separator: ","))]")
  }

  mutating func add(_ reading: Reading) {
    for place in 0..<Reading.capacity {
      guard let field = reading.field(at: place) else { return }
      guard let number = reading.number(at: place) else { continue }
      switch field.form {
      case .flag: add("\(field.name)", number != 0 ? "true" : "false")
      case .fixed(let decimals):
        var text = ByteBuffer()
        text.append(fixed: number, decimals: Int(decimals))
        add("\(field.name)", String(decoding: text.bytes, as: UTF8.self))
      }
    }
  }

  mutating func add(_ fix: GNSSFix) {
    add("mode", "\(fix.mode.rawValue)")
    if let quality = fix.quality { add("quality", "\(quality.rawValue)") }
    if let utc = fix.utc { add("utc", seconds(utc.microseconds)) }
    if let position = fix.position {
      add("latitudeE9", "\(position.latitudeE9)")
      add("longitudeE9", "\(position.longitudeE9)")
    }
    add("heightAboveSeaLevel", fix.heightAboveSeaLevel)
    add("heightAboveEllipsoid", fix.heightAboveEllipsoid)
    add("speed", fix.speed)
    add("courseDegrees", fix.course.map { $0 * (180 / Double.pi) })
    add("horizontalAccuracy", fix.horizontalAccuracy)
    add("verticalAccuracy", fix.verticalAccuracy)
    add("hdop", fix.dilution.horizontal.map(Double.init))
    add("vdop", fix.dilution.vertical.map(Double.init))
    add("pdop", fix.dilution.position.map(Double.init))
    if let count = fix.satellitesUsed { add("satellitesUsed", "\(count)") }
    if fix.satellitesInView.packed != 0 { add("satellitesInView", "\(fix.satellitesInView.total)") }
  }

  /// Bytes as `text` when all are printable ASCII or line ends, and as `hex` otherwise.
  mutating func add(bytes: [UInt8]) {
    let isPrintable = bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    guard isPrintable else {
      let digits = Array("0123456789abcdef".utf8)
      var hex: [UInt8] = []
      hex.reserveCapacity(bytes.count * 2)
      for byte in bytes { hex += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
      add("hex", text: String(decoding: hex, as: UTF8.self))
      return
    }
    var escaped = ""
    for byte in bytes {
      switch byte {
      case 0x22: escaped += "\\\""
      case 0x5C: escaped += "\\\\"
      case 0x0A: escaped += "\\n"
      case 0x0D: escaped += "\\r"
      case 0x09: escaped += "\\t"
      default: escaped.unicodeScalars.append(UnicodeScalar(byte))
      }
    }
    add("text", text: escaped)
  }
}

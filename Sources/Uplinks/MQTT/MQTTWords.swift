import CMosquitto
import Delivery
import Glibc

/// What libmosquitto's codes mean to people.
enum MQTTWords {
  /// The broker's answer to a connection.
  ///
  /// - Source: [mqtt311] section 3.2.2.3
  static func refusal(_ code: Int32) -> String {
    switch code {
    case 1: "the broker does not speak MQTT 3.1.1"
    case 2: "the broker refused the client name"
    case 3: "the broker is not available"
    case 4: "the broker refused user or password"
    case 5: "the broker refused the connection: not authorised; check user and password"
    default: "the broker refused the connection with code \(code)"
    }
  }

  /// True when somebody has to change something before it can work.
  static func isLasting(refusal code: Int32) -> Bool { code != 3 }

  /// Why connecting or a connection failed.
  static func failure(
    _ code: Int32, errorNumber: Int32, complaint: String?, host: String
  ) -> (reason: String, kind: BackOff.Kind) {
    switch code {
    case Int32(MOSQ_ERR_EAI.rawValue): return ("no such host: \(host)", .passing)
    case Int32(MOSQ_ERR_TLS.rawValue): return security(complaint)
    case Int32(MOSQ_ERR_ERRNO.rawValue) where errorNumber == EPROTO: return security(complaint)
    case Int32(MOSQ_ERR_ERRNO.rawValue) where errorNumber != 0:
      return (String(cString: strerror(errorNumber)).lowercased(), .passing)
    case Int32(MOSQ_ERR_KEEPALIVE.rawValue): return ("the broker does not respond", .passing)
    case Int32(MOSQ_ERR_PROTOCOL.rawValue), Int32(MOSQ_ERR_MALFORMED_PACKET.rawValue):
      return ("not an MQTT broker", .refusal)
    default:
      if let complaint, complaint.contains("OpenSSL") { return security(complaint) }
      return ("the connection was closed", .passing)
    }
  }

  /// What broke TLS; a broker that dies does that, too.
  private static func security(_ complaint: String?) -> (reason: String, kind: BackOff.Kind) {
    guard let complaint else { return ("TLS failed", .passing) }
    if complaint.contains("host name") { return ("the broker's certificate is for another name", .refusal) }
    if complaint.contains("certificate verify failed") {
      return (
        "the broker's certificate is not trusted; check the authority file, the name and the clock", .refusal
      )
    }
    if complaint.contains("wrong version") || complaint.contains("packet length") {
      return ("the broker does not speak TLS on this port", .refusal)
    }
    if complaint.contains("unexpected eof") { return ("the connection was closed", .passing) }
    // OpenSSL's chain of places ends in the words. An alert is the broker's no.
    let words = complaint.split(separator: ":").last.map(String.init) ?? complaint
    let isRefusal = complaint.contains("alert") || complaint.contains("ertificate") || complaint.contains(" key")
    return ("TLS failed: \(words)", isRefusal ? .refusal : .passing)
  }
}

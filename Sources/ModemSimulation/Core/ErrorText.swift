/// Texts of numbered errors.
enum ErrorText {
  /// Text of `+CME ERROR`.
  ///
  /// - Source: [sim7000-at] section 20.1.
  static func cme(_ code: Int) -> String {
    switch code {
    case 0: return "phone failure"
    case 1: return "no connection to phone"
    case 3: return "operation not allowed"
    case 4: return "operation not supported"
    case 10: return "SIM not inserted"
    case 11: return "SIM PIN required"
    case 12: return "SIM PUK required"
    case 13: return "SIM failure"
    case 14: return "SIM busy"
    case 15: return "SIM wrong"
    case 16: return "incorrect password"
    case 20: return "memory full"
    case 21: return "invalid index"
    case 22: return "not found"
    case 23: return "memory failure"
    case 24: return "text string too long"
    case 25: return "invalid characters in text string"
    case 30: return "no network service"
    case 31: return "network timeout"
    case 32: return "network not allowed - emergency call only"
    case 99: return "resource limitation"
    case 103: return "Illegal MS"
    case 106: return "Illegal ME"
    case 107: return "GPRS services not allowed"
    case 111: return "PLMN not allowed"
    case 148: return "unspecified GPRS error"
    case 149: return "PDP authentication failure"
    case 160: return "DNS resolve failed"
    case 161: return "Socket open failed"
    case 177: return "connection to network failed"
    case 180: return "gprs is not attached"
    case 181: return "tcpip stack is busy"
    case 765: return "Invalid input value"
    case 766: return "Unsupported mode"
    case 767: return "Operation failed"
    case 772: return "SIM powered down"
    case 797: return "CFUN state is 0 or 4"
    default: return "unknown"
    }
  }

  /// Text of `+CMS ERROR`.
  ///
  /// - Source: [sim7000-at] section 20.2.
  static func cms(_ code: Int) -> String {
    switch code {
    case 1: return "Unassigned(unallocated) number"
    case 8: return "Operator determined barring"
    case 10: return "Call barred"
    case 21: return "Short message transfer rejected"
    case 27: return "Destination out of service"
    case 28: return "Unidentified subscriber"
    case 38: return "Network out of order"
    case 41: return "Temporary failure"
    case 42: return "Congestion"
    case 47: return "Resources unavailable"
    case 300: return "ME failure"
    case 302: return "operation not allowed"
    case 303: return "operation not supported"
    case 304: return "invalid PDU mode parameter"
    case 305: return "invalid text mode parameter"
    case 310: return "SIM not inserted"
    case 311: return "SIM PIN necessary"
    case 313: return "SIM failure"
    case 314: return "SIM busy"
    case 316: return "SIM PUK required"
    case 320: return "memory failure"
    case 321: return "invalid memory index"
    case 322: return "memory full"
    case 330: return "SMSC address unknown"
    case 331: return "no network"
    case 332: return "network timeout"
    case 513: return "message too long"
    case 514: return "invalid request parameters"
    default: return "unknown error"
    }
  }
}

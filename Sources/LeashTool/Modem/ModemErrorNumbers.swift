/// What the numbers of `+CME ERROR` and `+CMS ERROR` mean.
///
/// - Source: our derivation, from the lists of TS 27.007 and TS 27.005 and the manufacturer's additions from 600 on.
enum ModemErrorNumbers {
  /// Errors of the equipment.
  static let equipment: [Int: String] = [
    0: "phone failure", 1: "no connection to phone", 3: "operation not allowed", 4: "operation not supported",
    5: "PH-SIM PIN required", 10: "SIM not inserted", 11: "SIM PIN required", 12: "SIM PUK required", 13: "SIM failure",
    14: "SIM busy: try again", 15: "SIM wrong", 16: "incorrect password", 17: "SIM PIN2 required",
    18: "SIM PUK2 required", 20: "memory full", 21: "invalid index", 22: "not found", 23: "memory failure",
    24: "text string too long", 25: "invalid characters in text string", 26: "dial string too long",
    27: "invalid characters in dial string", 30: "no network service", 31: "network timeout",
    32: "network not allowed, emergency calls only", 40: "network personalisation PIN required",
    41: "network personalisation PUK required", 42: "network subset PIN required", 43: "network subset PUK required",
    44: "service provider PIN required", 45: "service provider PUK required", 46: "corporate PIN required",
    47: "corporate PUK required", 99: "resource limitation", 100: "unknown", 103: "illegal MS", 106: "illegal ME",
    107: "GPRS services not allowed", 111: "PLMN not allowed", 112: "location area not allowed",
    113: "roaming not allowed in this location area", 132: "service option not supported",
    133: "service option not subscribed", 134: "service option temporarily out of order",
    148: "unspecified GPRS error", 149: "PDP authentication failure", 150: "invalid mobile class",
    160: "DNS resolve failed", 161: "socket open failed", 177: "connection to network failed",
    180: "GPRS is not attached", 181: "TCP/IP stack is busy", 600: "no error", 601: "unrecognised command",
    602: "return value error", 603: "syntax error", 604: "unspecified error", 605: "data transfer already running",
    606: "action already running", 607: "not an AT command", 608: "multi command too long", 609: "COPS aborted",
    614: "command not allowed by the customer's settings", 753: "missing SIM command parameter",
    754: "invalid SIM command", 755: "invalid SIM file id", 756: "missing SIM parameter", 757: "invalid SIM parameter",
    758: "missing SIM data", 759: "invalid SIM data", 765: "invalid input value", 766: "unsupported mode",
    767: "operation failed", 768: "multiplexer already running", 772: "SIM powered down", 773: "SIM file not present",
    791: "too few parameters", 792: "too many parameters", 793: "parameter out of range",
    794: "parameter of the wrong type", 795: "parameter of a wrong format", 796: "empty parameter",
    797: "not possible while CFUN is 0 or 4",
  ]

  /// Errors of short messages.
  static let messages: [Int: String] = [
    1: "unassigned number", 8: "operator determined barring", 10: "call barred", 21: "short message transfer rejected",
    27: "destination out of service", 28: "unidentified subscriber", 38: "network out of order",
    41: "temporary failure", 42: "congestion", 47: "resources unavailable", 50: "facility not subscribed",
    69: "facility not implemented", 208: "SIM's message storage full", 300: "ME failure", 301: "service of ME reserved",
    302: "operation not allowed", 303: "operation not supported", 304: "invalid PDU mode parameter",
    305: "invalid text mode parameter", 310: "SIM not inserted", 311: "SIM PIN required", 312: "PH-SIM PIN required",
    313: "SIM failure", 314: "SIM busy: try again", 315: "SIM wrong", 316: "SIM PUK required",
    317: "SIM PIN2 required", 318: "SIM PUK2 required", 320: "memory failure", 321: "invalid memory index",
    322: "memory full", 330: "SMS centre's address unknown", 331: "no network service", 332: "network timeout",
    340: "no acknowledgement expected", 500: "unknown", 513: "message too long", 514: "invalid request parameters",
    521: "SMS layer not ready", 529: "sending of messages not allowed", 531: "storage of ME full",
    532: "SIM refresh under way",
  ]
}

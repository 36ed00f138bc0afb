/// What a tracker is called, everywhere: in packets, in topics and addresses, in signatures and on its label.
package enum DeviceID {
  /// The most characters.
  package static var longest: Int { 32 }

  /// Why a text is no device id, in words that follow `expected`; nil when it is one.
  ///
  /// It stands in topics, in addresses and in file names, where other characters mean something or would have to be written otherwise.
  package static func expectation(_ text: String) -> String? {
    let rule = "1 to \(longest) of a-z, A-Z, 0-9, '-', '_' and '.', the first a letter or a digit"
    if text.isEmpty { return "\(rule); found nothing" }
    let count = text.unicodeScalars.count
    if let odd = text.unicodeScalars.first(where: { !isAllowed($0) }) { return "\(rule); found \(shown(odd))" }
    if count > longest { return "\(rule); found \(count)" }
    if let first = text.unicodeScalars.first, "-_.".unicodeScalars.contains(first) {
      return "\(rule); found '\(first)' there"
    }
    return nil
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": return true
    default: return false
    }
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case " ": return "a blank"
    case "\u{21}"..."\u{7E}": return "'\(scalar)'"
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}

import ASCIIText
import InlineStorage

extension ATChannel {
  /// The line as a final result; nil when it is none.
  func finalResult() -> ATResult? {
    let view = ATLine(line.span)
    switch line[0] {
    case 0x4F: return view.equals("OK") ? .ok : nil
    case 0x45: return view.equals("ERROR") ? .error : nil
    case 0x2B:
      if let text = view.fields(of: "+CME ERROR") { return .equipmentError(CMEError(ATLine(text.text))) }
      if let text = view.fields(of: "+CMS ERROR") { return .messageError(CMSError(ATLine(text.text))) }
      return nil
    case 0x4E:
      if view.equals("NO CARRIER") || view.equals("NO ANSWER") || view.equals("NO DIALTONE") { return .failed }
      return nil
    case 0x42: return view.equals("BUSY") ? .failed : nil
    default: return line.count == 1 ? numericResult(line[0]) : nil
    }
  }

  /// `ATV0` results are one digit.
  ///
  /// - Source: [sim7000at] section 1.5.
  func numericResult(_ digit: UInt8) -> ATResult? {
    switch digit {
    case 0x30: return .ok
    case 0x34: return .error
    case 0x33, 0x36, 0x37, 0x38: return .failed
    default: return nil
    }
  }
}

import ASCIIText

extension SettingEntry {
  /// What it was called before; nil when it never had another name.
  ///
  /// Logs, configurations and requests of earlier versions have these names, and are still read. All that is written has the name of
  /// today.
  package var earlierName: StaticString? {
    switch id {
    case 88: return "reports.supplyLifetime"
    case 91: return "reports.repeatInterval"
    case 92: return "reports.repeatFor"
    case 93: return "reports.lateRepeatInterval"
    case 94: return "reports.nearGrace"
    case 95: return "reports.nearFor"
    case 96: return "reports.nearByWord"
    case 97: return "reports.touchInterval"
    case 98: return "reports.powerDelay"
    case 130: return "reports.buttonCheckpoint"
    default: return nil
    }
  }

  /// True when a text is its name, or was.
  package func isNamed(_ text: Span<UInt8>) -> Bool {
    let word = TextWord(in: text)
    return word.equals(name, in: text) || earlierName.map { word.equals($0, in: text) } ?? false
  }
}

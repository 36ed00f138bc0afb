import ATCommands

/// A position: `+UGNSINF: <21 fields>`, as `AT+CGNSURC` has asked for.
///
/// - Source: [sim7000at] `AT+CGNSURC`; a sample of [sim7000an] GNSS has 22 fields.
@frozen package struct PositionNotice: ATNotice {
  /// What it says.
  package var report: GNSSReport
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> PositionNotice? {
    guard let fields = line.fields(of: "+UGNSINF"), let report = GNSSReport(fields) else { return nil }
    return PositionNotice(report: report)
  }
}

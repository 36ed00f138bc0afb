/// Registration with the packet network of GSM: `AT+CGREG=<n>` → `OK`; `AT+CGREG?` → `+CGREG: <n>,<stat>[,"lac","ci",<AcT>,"active time","periodic update","ready"]`, `OK`.
///
/// Counts on GSM; on LTE some firmware follows `CEREG`.
///
/// The notice: `+CGREG: <stat>[,"lac","ci",<AcT>,"active time","periodic update","ready"]`.
///
/// - Source: [ts27007] section 10.1.20; [sim7000at] `AT+CGREG`.
package enum CGREG: RegistrationCommands {
  package static var name: StaticString { "+CGREG" }
}

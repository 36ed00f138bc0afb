/// Registration with LTE: `AT+CEREG=<n>` → `OK`; `AT+CEREG?` → `+CEREG: <n>,<stat>[,"tac","ci",<AcT>,,,"active time","periodic update"]`, `OK`.
///
/// Counts on Cat-M1 and NB-IoT; 0 on GSM.
///
/// The notice: `+CEREG: <stat>[,"tac","ci",<AcT>,,,"active time","periodic update"]`.
///
/// - Source: [ts27007] section 10.1.22; [sim7000at] `AT+CEREG`.
package enum CEREG: RegistrationCommands {
  package static var name: StaticString { "+CEREG" }
}

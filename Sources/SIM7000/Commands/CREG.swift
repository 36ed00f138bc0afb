/// Registration with the circuit-switched network: `AT+CREG=<n>` → `OK`; `AT+CREG?` → `+CREG: <n>,<stat>[,"lac","ci",<AcT>]`, `OK`.
///
/// On LTE this may say 0, 2 or 3 though data flows: `CEREG` and `CGREG` count.
///
/// The notice: `+CREG: <stat>[,"lac","ci",<AcT>]`.
///
/// - Source: [ts27007] section 7.2; [sim7000at] `AT+CREG`.
package enum CREG: RegistrationCommands {
  package static var name: StaticString { "+CREG" }
}

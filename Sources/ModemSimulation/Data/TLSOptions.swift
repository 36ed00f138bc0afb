import Quantities

// CSSLCFG: TLS contexts and certificates.
//
// Source: [sim7000-at] section 17.2.1; [sim7000-ssl] section 2.

/// Options of one TLS context.
struct TLSContext: Equatable, Sendable {
  /// 0 SSL3, 1 TLS 1.0, 2 TLS 1.1, 3 TLS 1.2, 4 and 5 DTLS.
  var version = 3
  /// True when the dates of certificates are not looked at.
  var ignoresClock = false
  /// Name for the server name indication.
  var serverName = ""
}

extension SimulatedModem {
  /// The commands of this file.
  static var tlsCommands: [SimulatedCommand] { [SimulatedCommand("+CSSLCFG") { modem, call in modem.csslcfg(call) }] }

  /// `AT+CSSLCFG="keyword",…`; keywords only in lower case, as fielded firmware wants them.
  private mutating func csslcfg(_ call: CommandCall) -> Answer {
    if call.form == .test { return .ok }
    guard call.form == .write, let keyword = call.string(0) else { return .error }
    if keyword == "convert" { return convertCertificate(call) }
    guard let context = call.integer(1, in: 0...5) else { return .error }
    var options = data.tls[context] ?? TLSContext()
    switch keyword {
    case "sslversion":
      guard let version = call.integer(2, in: 0...5) else { return .error }
      options.version = version
    case "ignorertctime":
      guard let value = call.integer(2, in: 0...1) else { return .error }
      options.ignoresClock = value == 1
    case "sni":
      guard let name = call.string(2) else { return .error }
      options.serverName = name
    case "ciphersuite", "protocol", "alpn", "maxfrag": guard call.count >= 3 else { return .error }
    case "ctxindex":
      let clock = options.ignoresClock ? 1 : 0
      return Answer.ok.line("+CSSLCFG: \(context),\(options.version),\(clock),\"\(options.serverName)\"")
    default: return .error
    }
    data.tls[context] = options
    return .ok
  }

  /// `AT+CSSLCFG="convert",<1 client|2 authority|3 shared key>,"file"[,"key"]`: the files must be in `/customer/`.
  private mutating func convertCertificate(_ call: CommandCall) -> Answer {
    guard let kind = call.integer(1, in: 1...3), call.count >= 3, kind != 1 || call.count >= 4 else { return .error }
    let names = (2..<call.count).prefix(kind == 1 ? 2 : 1).compactMap { call.string($0) }
    for name in names {
      guard let file = flash.data.files["3/\(name)"], !file.isEmpty else { return .error }
    }
    flash.data.certificates.formUnion(names)
    return .ok
  }

  /// True when a TLS connection may come about: the authority's certificate is there and the clock is set, or nothing is
  /// verified (no name).
  func canVerify(_ authority: String, context: Int) -> Bool {
    if authority.isEmpty { return true }
    guard flash.data.certificates.contains(authority) else { return false }
    return clock.offset != nil || data.tls[context]?.ignoresClock == true
  }
}

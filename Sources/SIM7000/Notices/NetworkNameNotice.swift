import ATCommands

/// Name of the network: `*PSNWID: "<mcc>","<mnc>","<name>",<coding>,"<short name>",<coding>`.
///
/// - Source: [sim7000at] `AT+CLTS`.
@frozen package struct NetworkNameNotice: ATNotice {
  /// Country and operator.
  package var network: NetworkCode
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> NetworkNameNotice? {
    guard let fields = line.fields(of: "*PSNWID"), fields.count >= 2, let country = fields.text(0),
      let operatorText = fields.text(1), let network = NetworkCode(country: country, network: operatorText)
    else { return nil }
    return NetworkNameNotice(network: network)
  }
}

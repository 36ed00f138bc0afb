import ASCIIText
import ATCommands

/// The network a modem uses: three digits of the country, two or three of the operator.
@frozen package struct NetworkCode: Equatable, BitwiseCopyable, Sendable {
  /// Country.
  package var country: UInt16
  /// Operator.
  package var network: UInt16
  /// Digits of the operator, 2 or 3: `01` is not `001`.
  package var networkDigits: UInt8

  /// Reads both parts; nil when they are not three, and two or three, digits.
  init?(country: Span<UInt8>, network: Span<UInt8>) {
    guard country.count == 3, network.count == 2 || network.count == 3, let countryNumber = scanUnsigned(country),
      let networkNumber = scanUnsigned(network)
    else { return nil }
    self.country = UInt16(truncatingIfNeeded: countryNumber)
    self.network = UInt16(truncatingIfNeeded: networkNumber)
    networkDigits = UInt8(truncatingIfNeeded: network.count)
  }
}

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

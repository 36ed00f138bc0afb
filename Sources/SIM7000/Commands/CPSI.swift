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

  /// Reads `240-07`, or `24007` without the dash; nil when it is something else.
  package init?(_ text: Span<UInt8>) {
    guard text.count >= 5 else { return nil }
    let start = text[3] == 0x2D ? 4 : 3
    self.init(country: text.extracting(0..<3), network: text.extracting(start..<text.count))
  }

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

/// The cell a modem uses, and how well it is heard.
@frozen package struct ServingCell: Equatable, BitwiseCopyable, Sendable {
  /// What is used.
  @frozen package enum System: UInt8, BitwiseCopyable, Sendable {
    /// Nothing.
    case noService
    /// GSM.
    case gsm
    /// LTE Cat-M1.
    case catM1
    /// LTE Cat-NB1.
    case narrowband
  }

  /// What is used.
  package var system: System
  /// True when the radio is on.
  package var isOnline: Bool
  /// Country and operator.
  package var network: NetworkCode?
  /// Location or tracking area.
  package var area: UInt32?
  /// Cell.
  package var cell: UInt32?
  /// Physical cell, of LTE.
  package var physicalCell: UInt16?
  /// Band, of LTE.
  package var band: UInt8?
  /// Channel: ARFCN, or EARFCN of the downlink.
  package var channel: UInt32?
  /// Power in dBm: of the reference signal of LTE, or the received level of GSM.
  package var powerDBm: Int16?
  /// Quality of the reference signal in dB, of LTE.
  package var qualityDB: Int16?
  /// Strength of all that is received in dBm, of LTE.
  package var strengthDBm: Int16?
  /// Signal over noise and interference in dB, −20 to 30, of LTE.
  package var signalToNoiseDB: Int16?

  /// Reads `+CPSI: …`; nil when it is damaged. A number that can't be, such as a power above 0, is unknown.
  init?(_ fields: borrowing ATFields) {
    isOnline = fields.equals(1, "Online")
    guard isOnline || ServingCell.isMode(fields) else { return nil }
    network = nil
    area = nil
    cell = nil
    physicalCell = nil
    band = nil
    channel = nil
    powerDBm = nil
    qualityDB = nil
    strengthDBm = nil
    signalToNoiseDB = nil
    if fields.equals(0, "NO SERVICE") {
      system = .noService
      return
    }
    if fields.equals(0, "GSM") {
      system = .gsm
    } else if fields.equals(0, "LTE CAT-M1") {
      system = .catM1
    } else if fields.equals(0, "LTE NB-IOT") {
      system = .narrowband
    } else {
      return nil
    }
    guard let code = fields.text(2), let network = NetworkCode(code), let area = fields.hexadecimal(3),
      let cell = fields.longWord(4)
    else { return nil }
    self.network = network
    self.area = area
    self.cell = cell
    if system == .gsm { readGSM(fields) } else { readLTE(fields) }
  }

  private static func isMode(_ fields: borrowing ATFields) -> Bool {
    fields.equals(1, "Offline") || fields.equals(1, "Factory Test Mode") || fields.equals(1, "Reset")
      || fields.equals(1, "Low Power Mode")
  }

  private mutating func readGSM(_ fields: borrowing ATFields) {
    if let text = fields.text(5) {
      var end = 0
      while end < text.count && isDigit(text[end]) { end += 1 }
      if let number = scanUnsigned(text.extracting(0..<end)), number <= 1023 {
        channel = UInt32(truncatingIfNeeded: number)
      }
    }
    if let power = fields.signedWord(6), power < 0, power >= -130 { powerDBm = power }
  }

  private mutating func readLTE(_ fields: borrowing ATFields) {
    physicalCell = fields.word(5, maximum: 503)
    if let text = fields.text(6), ATLine(text).begins(with: "EUTRAN-BAND"),
      let number = scanUnsigned(text.extracting(11..<text.count)), number >= 1, number <= 255
    {
      band = UInt8(truncatingIfNeeded: number)
    }
    channel = fields.longWord(7)
    if let quality = fields.signedWord(10), quality < 0, quality >= -60 { qualityDB = quality }
    if let power = fields.signedWord(11), power < 0, power >= -160 { powerDBm = power }
    if let strength = fields.signedWord(12), strength < 0, strength >= -160 { strengthDBm = strength }
    if let ratio = fields.byte(13, maximum: 25) { signalToNoiseDB = 2 * Int16(ratio) - 20 }
  }
}

/// Serving cell: `AT+CPSI?` → `+CPSI: <system>,<mode>,<MCC-MNC>,…`, `OK`.
///
/// GSM: LAC, cell, channel and band, received level, time slots. LTE: TAC, cell, physical cell, band, channel, two bandwidths,
/// RSRQ, RSRP, RSSI, RSSNR. Right after attaching some numbers are rubbish.
///
/// - Source: [sim7000at] `AT+CPSI`.
package enum CPSI {
  /// Asks for it: `AT+CPSI?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CPSI")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CPSI?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> ServingCell? {
      guard let fields = line.fields(of: "+CPSI") else { return nil }
      return ServingCell(fields)
    }
  }
}

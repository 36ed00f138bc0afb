import ASCIIText
import ATCommands
import Quantities

/// Folder of the file store.
///
/// - Source: [sim7000at] `AT+CFSWFILE`.
@frozen package enum FileFolder: UInt8, BitwiseCopyable, Sendable {
  /// `/custapp/`.
  case application = 0
  /// `/fota/`.
  case update = 1
  /// `/datatx/`.
  case transfer = 2
  /// `/customer/`, where certificates are looked for.
  case customer = 3
}

/// Writes a file: `AT+CFSWFILE=<folder>,"<name>",<mode>,<length>,<ms>` → `DOWNLOAD`, the bytes, `OK` or `ERROR`.
///
/// - Source: [sim7000at] `AT+CFSWFILE`: 10,240 bytes at once, 100 to 10,000 ms.
package enum CFSWFILE {
  /// Announces the bytes: `AT+CFSWFILE=3,"ca.pem",0,1322,5000`.
  ///
  /// The driver does not use it: it is for a program that writes certificates to the modem.
  @frozen package struct Write: ATCommand {
    /// Folder.
    package let folder: FileFolder
    /// Name.
    package let name: FileName
    /// True to write behind what is there, false to replace it.
    package let appends: Bool
    /// Bytes.
    package let count: UInt16
    /// How long the modem waits for them in milliseconds.
    package let waitMilliseconds: UInt16
    /// The command; nil without a name, and for numbers the modem refuses.
    package init?(
      folder: FileFolder = .customer, name: FileName, appends: Bool = false, count: UInt16,
      waitMilliseconds: UInt16 = 10_000
    ) {
      guard !name.isEmpty, count >= 1, count <= 10_240, waitMilliseconds >= 100, waitMilliseconds <= 10_000 else {
        return nil
      }
      self.folder = folder
      self.name = name
      self.appends = appends
      self.count = count
      self.waitMilliseconds = waitMilliseconds
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(prompt: .download, outcomeWithin: .seconds(15)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CFSWFILE=")
      sink.append(number: folder.rawValue)
      sink.append(nextQuoted: name)
      sink.append(",")
      sink.append(flag: appends)
      sink.append(next: count)
      sink.append(next: waitMilliseconds)
    }
  }
}

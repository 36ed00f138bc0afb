import Quantities

// CFSINIT, CFSTERM, CFSWFILE, CFSRFILE, CFSGFIS, CFSDFILE, CFSREN, CFSGFRS: the file system.
//
// Source: [sim7000-at] chapter 16; [sim7000-fs] section 2.

extension SimulatedModem {
  /// Longest name of a file.
  static let maximumFileName = 50
  /// Most bytes of one `CFSWFILE` or `CFSRFILE`.
  static let maximumFileBlock = 10_240

  /// The commands of this file.
  static var fileCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CFSINIT") { modem, call in
        guard call.form == .execute, !modem.data.filesAreOpen else { return .error }
        modem.data.filesAreOpen = true
        return .ok
      },
      SimulatedCommand("+CFSTERM") { modem, call in
        guard call.form == .execute, modem.data.filesAreOpen else { return .error }
        modem.data.filesAreOpen = false
        return .ok
      },
      SimulatedCommand("+CFSWFILE") { modem, call in modem.cfswfile(call) },
      SimulatedCommand("+CFSRFILE") { modem, call in modem.cfsrfile(call) },
      SimulatedCommand("+CFSGFIS") { modem, call in
        guard let path = modem.filePath(call), let file = modem.flash.data.files[path] else { return .error }
        return Answer.ok.line("+CFSGFIS: \(file.count)")
      },
      SimulatedCommand("+CFSDFILE") { modem, call in
        guard let path = modem.filePath(call), modem.flash.data.files.removeValue(forKey: path) != nil else {
          return .error
        }
        return .ok
      },
      SimulatedCommand("+CFSREN") { modem, call in modem.cfsren(call) },
      SimulatedCommand("+CFSGFRS") { modem, call in
        guard call.form == .read, modem.data.filesAreOpen else { return .error }
        return Answer.ok.line("+CFSGFRS: \(modem.freeFileSpace)")
      },
    ]
  }

  /// Bytes that still fit.
  private var freeFileSpace: Int {
    max(0, configuration.data.fileSpace - flash.data.files.values.reduce(0) { $0 + $1.count })
  }

  /// Folder (0 to 3) and name at the first two places; nil when they are wrong or the file system is closed.
  private func filePath(_ call: CommandCall) -> String? {
    guard call.form == .write, data.filesAreOpen, let folder = call.integer(0, in: 0...3), let name = call.string(1),
      !name.isEmpty, name.utf8.count <= SimulatedModem.maximumFileName
    else { return nil }
    return "\(folder)/\(name)"
  }

  /// `AT+CFSWFILE=<folder>,"name",<0 new|1 append>,<length>,<ms>`.
  private mutating func cfswfile(_ call: CommandCall) -> Answer {
    if call.form == .test {
      return Answer.ok.line("+CFSWFILE: (0-3),<filename>,(0-1),(1-10240),(100-10000)")
    }
    guard let path = filePath(call), call.count == 5, let mode = call.integer(2, in: 0...1),
      let length = call.integer(3, in: 1...SimulatedModem.maximumFileBlock), length <= freeFileSpace,
      let limit = call.integer(4, in: 100...10_000)
    else { return .error }
    return .prompt(
      Prompt(
        text: .line("DOWNLOAD"), length: length, timeout: .milliseconds(limit),
        purpose: .data(.file(path, appends: mode == 1))))
  }

  /// A file that did not come whole is not written [U].
  mutating func writeFile(_ bytes: [UInt8], to path: String, appends: Bool, outcome: Prompt.Outcome) -> Answer {
    guard outcome == .complete else { return .error }
    flash.data.files[path] = (appends ? flash.data.files[path] ?? [] : []) + bytes
    return .ok
  }

  /// `AT+CFSRFILE=<folder>,"name",<0 from the start|1 from the position>,<length>,<position>`: bare bytes, then `OK`.
  private mutating func cfsrfile(_ call: CommandCall) -> Answer {
    guard let path = filePath(call), call.count == 5, let mode = call.integer(2, in: 0...1),
      let length = call.integer(3, in: 1...SimulatedModem.maximumFileBlock), let position = call.integer(4),
      position >= 0, let file = flash.data.files[path]
    else { return .error }
    let start = mode == 0 ? 0 : position
    guard start <= file.count else { return .error }
    return Answer.ok.raw([0x0D, 0x0A] + file[start..<min(start + length, file.count)])
  }

  /// `AT+CFSREN=<folder>,"old","new"`.
  private mutating func cfsren(_ call: CommandCall) -> Answer {
    guard let path = filePath(call), call.count == 3, let folder = call.integer(0), let name = call.string(2),
      !name.isEmpty, name.utf8.count <= SimulatedModem.maximumFileName, let file = flash.data.files[path]
    else { return .error }
    flash.data.files[path] = nil
    flash.data.files["\(folder)/\(name)"] = file
    return .ok
  }
}

import Foundation
import LinuxDevices
import OtherPrograms
import Quantities

/// A real mosquitto on a free port of the loopback interface, which can be killed, stopped for a while and started again.
package final class MosquittoServer {
  /// How it is set up.
  package struct Settings {
    /// Users with their passwords; nobody else is let in when there are some.
    package var users: [(name: String, password: String)] = []
    /// Makes it speak TLS.
    package var certificate: ServerCertificate?
    /// Asks clients for a certificate of the same authority.
    package var asksForCertificate = false
    /// Its access list; nil to let everybody do everything.
    package var accessList: String?
    /// Bytes of the longest packet that it takes; nil for what MQTT allows.
    package var longestPacket: Int?
    /// Whether it keeps retained messages; one that doesn't closes the connection at one.
    package var keepsMessages = true

    /// Open to everybody.
    package init() {}
  }

  /// Its port, the same after each start.
  package let port: UInt16
  private let folder: ServerFolder
  private let configuration: String
  private let mosquitto: URL
  private var process: OtherProgram?

  /// Returns when the broker listens; nil when there is no mosquitto on this machine.
  package init?(_ settings: Settings = Settings()) throws {
    guard let mosquitto = serverProgram("/usr/sbin/mosquitto", package: "mosquitto") else { return nil }
    self.mosquitto = mosquitto
    folder = try ServerFolder()
    port = try freeLoopbackPort()
    var text = "listener \(port) 127.0.0.1\nlog_dest stderr\n"
    if let certificate = settings.certificate {
      text += "certfile \(certificate.path)\nkeyfile \(certificate.keyPath)\n"
      if settings.asksForCertificate {
        text += "cafile \(certificate.authorityPath)\nrequire_certificate true\n"
      }
    }
    if settings.users.isEmpty {
      text += "allow_anonymous true\n"
    } else {
      let passwords = try folder.write("", to: "passwords")
      guard let tool = serverProgram("/usr/bin/mosquitto_passwd", package: "mosquitto") else { return nil }
      for user in settings.users {
        guard try runProgram(tool, ["-b", passwords, user.name, user.password]) else { throw POSIXError(.EINVAL) }
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: passwords)
      text += "allow_anonymous false\npassword_file \(passwords)\n"
    }
    if let list = settings.accessList {
      let path = try folder.write(list, to: "access")
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      text += "acl_file \(path)\n"
    }
    if let most = settings.longestPacket { text += "max_packet_size \(most)\n" }
    if !settings.keepsMessages { text += "retain_available false\n" }
    configuration = try folder.write(text, to: "mosquitto.conf")
    try start()
  }

  deinit { kill() }

  /// Starts it again on its port; returns when it listens.
  package func start() throws {
    let process = try OtherProgram([mosquitto.path, "-c", configuration])
    self.process = process
    guard process.waits(within: .seconds(10), for: { process.err.contains(" running") }) else {
      throw ProgramFailure(description: "mosquitto does not listen: \(process.err)")
    }
  }

  /// Ends it as a crash would; sessions are gone with it.
  package func kill() {
    process?.kill()
    process = nil
  }

  /// Lets it hang: connections stay, nothing is answered.
  package func pause() { process?.send(SIGSTOP) }

  /// Lets it go on.
  package func resume() { process?.send(SIGCONT) }
}

import Foundation
import Glibc
import OtherPrograms
import ServerSupport
import SkippedTests
import Testing

/// What a running tracker lets others reach.
@Suite struct ListeningTests {
  /// The lines of the kernel's tables of a kind of socket that belong to a process.
  private func sockets(_ table: String, of process: pid_t) throws -> [[Substring]] {
    let folder = "/proc/\(process)/fd"
    let inodes = Set(
      try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name -> String? in
        var target = [CChar](repeating: 0, count: 256)
        let count = readlink("\(folder)/\(name)", &target, target.count - 1)
        let text = String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.hasPrefix("socket:[") ? String(text.dropFirst(8).dropLast()) : nil
      })
    guard let text = systemText("/proc/\(process)/net/\(table)") else { return [] }
    return text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
      .filter { $0.count > 9 && inodes.contains(String($0[9])) }
  }

  /// Local addresses where a process can be reached: TCP that listens, and UDP that takes from everybody.
  ///
  /// A library's pair of UDP sockets that are connected to each other is none: nobody else is heard there.
  private func listeners(of process: pid_t) throws -> [String] {
    let tcp = try (sockets("tcp", of: process) + sockets("tcp6", of: process)).filter { $0[3] == "0A" }
    let udp = try (sockets("udp", of: process) + sockets("udp6", of: process)).filter { $0[3] == "07" }
    return (tcp + udp).map { String($0[1]) }
  }

  private func hexadecimal(_ port: UInt16) -> String {
    let digits = String(port, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  @Test func nothingListensOnTheNetworkAndTheControlSocketIsTheOwnersOnly() async throws {
    try await withPlace {
      let server = try HTTPServer()
      let own = try listeners(of: getpid())
      #expect(own.contains { $0.hasSuffix(":" + hexadecimal(server.port)) }, "this test sees what listens")
      guard let broker = try MosquittoServer() else { return }
      let uplinks = """
        uplinks: [ { by: 'http', url: 'http://127.0.0.1:\(server.port)/' },
          { by: 'mqtt', host: 'localhost', port: \(broker.port) } ]
        """
      guard let rig = try BoardRig(PlayedIIODevice(), folder: BoardFolder(), rest: uplinks) else { return }
      try await rig.story()
      let listeners = try listeners(of: rig.leash.number)
      #expect(listeners == [])

      var status = stat()
      try #require(stat(rig.control, &status) == 0)
      #expect(status.st_mode & S_IFMT == S_IFSOCK && status.st_mode & 0o777 == 0o600)
      let json = try await OtherProgram.run([OtherProgram.leash, "status", "--json", "--socket", rig.control])
      #expect(json.exitStatus == 0 && json.lines.count == 1 && json.lines[0].contains("\"phase\":\"parked\""))
      let people = try await OtherProgram.run([OtherProgram.leash, "status", rig.configuration])
      #expect(people.exitStatus == 0 && people.lines[0].contains("parked, armed"))
      guard geteuid() == 0, let setpriv = OtherProgram.path(of: "setpriv"), access("/usr/bin/perl", X_OK) == 0 else {
        noteSkipped("only root can try the socket as another user, with setpriv and perl")
        return try await rig.stop()
      }
      // What the socket says to somebody else, with the file's mode in the way and without.
      let script = """
        use IO::Socket::UNIX; $SIG{PIPE} = 'IGNORE'; my $s = IO::Socket::UNIX->new(Peer => '\(rig.control)')
          or do { print "no: $!\\n"; exit };
        $s->print("status\\n"); my $l = <$s>; print defined $l ? "answer\\n" : "nothing\\n";
        """
      let other = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/perl", "-e", script]
      #expect(try await OtherProgram.run(other).lines == ["no: Permission denied"])
      chmod(rig.control, 0o666)
      let refused = try await OtherProgram.run(other)
      #expect(refused.lines == ["nothing"], "\(refused)")
      #expect(try await OtherProgram.run(["/usr/bin/perl", "-e", script]).lines == ["answer"])
      try await rig.stop()
    }
  }
}

import Glibc
import LinuxDevices

/// A socket in the file system where a test or a script says what no serial line can: the power key, a fault, a message.
///
/// One line asks, one line answers, as many times as the client likes. Only the owner may connect.
final class ControlSocket {
  let path: String
  private let descriptor: Int32
  private var clients: [(descriptor: Int32, text: [UInt8], place: Int)] = []
  private var place = -1

  /// Clients at a time; more wait.
  static var clientLimit: Int { 8 }
  /// Bytes of a line.
  static var lineLimit: Int { 4096 }

  /// Listens at a path; a socket that a killed program left is replaced, anything else stays and is told.
  init(path: String) throws(DeviceFailure) {
    self.path = path
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw DeviceFailure(.create, path, errorNumber: ENAMETOOLONG, .other)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let listener = socket(AF_UNIX, kind, 0)
    guard listener >= 0 else { throw DeviceFailure(.create, path, errorNumber: errno, .other) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        if bind(listener, address, size) == 0 { return 0 }
        guard errno == EADDRINUSE else { return errno }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return EEXIST }
        // Somebody who listens is not to be robbed of his place.
        let probe = socket(AF_UNIX, kind, 0)
        defer { close(probe) }
        guard connect(probe, address, size) != 0, errno == ECONNREFUSED else { return EADDRINUSE }
        unlink(path)
        return bind(listener, address, size) == 0 ? 0 : errno
      }
    }
    guard code == 0, chmod(path, 0o600) == 0, listen(listener, 4) == 0 else {
      close(listener)
      switch code {
      case EEXIST: throw DeviceFailure(.create, path, errorNumber: code, .pathTaken(by: "a file"))
      case EADDRINUSE:
        throw DeviceFailure(.create, path, errorNumber: code, .pathTaken(by: "another simulator's socket"))
      default: throw DeviceFailure(.create, path, errorNumber: code == 0 ? errno : code, .other)
      }
    }
    descriptor = listener
  }

  deinit {
    for client in clients { close(client.descriptor) }
    close(descriptor)
    unlink(path)
  }

  /// Says what it waits for.
  func addDescriptors(to wait: inout EventWait) {
    place = wait.add(clients.count < ControlSocket.clientLimit ? descriptor : -1)
    for number in clients.indices { clients[number].place = wait.add(clients[number].descriptor) }
  }

  /// Takes the lines that came and sends back what `answer` makes of them.
  func process(_ wait: EventWait, answer: (String) -> String) {
    for number in clients.indices.reversed() where wait.isReadable(clients[number].place) {
      if !serve(number, answer: answer) {
        close(clients[number].descriptor)
        clients.remove(at: number)
      }
    }
    guard place >= 0, wait.isReadable(place) else { return }
    let client = accept(descriptor, nil, nil)
    guard client >= 0 else { return }
    _ = fcntl(client, F_SETFL, O_NONBLOCK)
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    clients.append((client, [], -1))
  }

  /// False when the client is gone.
  private func serve(_ number: Int, answer: (String) -> String) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = recv(clients[number].descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    clients[number].text += buffer[..<count]
    while let end = clients[number].text.firstIndex(of: 0x0A) {
      let line = String(decoding: clients[number].text[..<end], as: UTF8.self)
      clients[number].text.removeSubrange(...end)
      let reply = Array((answer(line) + "\n").utf8)
      _ = send(clients[number].descriptor, reply, reply.count, Int32(MSG_NOSIGNAL))
    }
    return clients[number].text.count <= ControlSocket.lineLimit
  }
}

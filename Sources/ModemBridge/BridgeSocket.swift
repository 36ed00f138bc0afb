import Glibc
import LinuxDevices
import ModemSimulation
import Quantities

/// A TCP or UDP socket of the modem, on the machine's network.
struct BridgeSocket {
  /// What is waited for.
  private enum State {
    case resolving
    case connecting
    case open
    /// Nothing more comes from the server; the modem may still send.
    case ended
  }

  let id: Int
  let isUDP: Bool
  private var state = State.resolving
  private var descriptor: Int32 = -1
  private var addresses: [SocketAddress] = []
  private var outgoing: [UInt8] = []
  /// Datagrams keep their bounds.
  private var datagrams: [[UInt8]] = []
  private(set) var deadline: Instant?
  /// Place in the wait that is going on.
  private var place = -1

  /// The longest time that connecting may take.
  static var connectLimit: Interval { .seconds(60) }
  /// Bytes that may wait for a slow server.
  static var outgoingLimit: Int { 1 << 20 }

  init(id: Int, isUDP: Bool, at now: Instant) {
    self.id = id
    self.isUDP = isUDP
    deadline = now + BridgeSocket.connectLimit
  }

  /// Lets the socket go; the server gets what is on its way.
  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Goes on with the addresses of the name.
  mutating func connect(_ found: [SocketAddress], _ failure: NetworkFailure?) -> [NetworkReply] {
    guard state == .resolving else { return [] }
    guard !found.isEmpty else { return [.refused(id: id, failure ?? .noSuchHost)] }
    addresses = found
    return connectNext(lastFailure: .unreachable)
  }

  private mutating func connectNext(lastFailure: NetworkFailure) -> [NetworkReply] {
    close()
    guard !addresses.isEmpty else { return [.refused(id: id, lastFailure)] }
    let address = addresses.removeFirst()
    let kind = (isUDP ? SOCK_DGRAM : SOCK_STREAM).rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    descriptor = socket(address.family, Int32(kind), 0)
    guard descriptor >= 0 else { return connectNext(lastFailure: .unreachable) }
    let code = address.bytes.withUnsafeBytes { raw -> Int32 in
      guard let base = raw.baseAddress else { return -1 }
      return Glibc.connect(descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
    }
    if code == 0 {
      state = .open
      deadline = nil
      return [.opened(id: id)]
    }
    guard errno == EINPROGRESS else { return connectNext(lastFailure: networkFailure(errno)) }
    state = .connecting
    return []
  }

  /// Takes bytes for the server.
  mutating func send(_ bytes: [UInt8]) -> [NetworkReply] {
    guard state == .open || state == .ended else { return [] }
    if isUDP { datagrams.append(bytes) } else { outgoing += bytes }
    guard outgoing.count <= BridgeSocket.outgoingLimit else { return [.closed(id: id)] }
    return flush()
  }

  /// Says what it waits for.
  mutating func addDescriptor(to wait: inout EventWait) {
    let isSending = state == .connecting || !outgoing.isEmpty || !datagrams.isEmpty
    place = wait.add(
      state == .resolving ? -1 : descriptor, reading: state == .open, writing: isSending)
  }

  /// Goes on after the wait.
  mutating func process(_ wait: EventWait, at now: Instant) -> [NetworkReply] {
    if let deadline, now >= deadline { return [.refused(id: id, .timedOut)] }
    guard place >= 0 else { return [] }
    var replies: [NetworkReply] = []
    if state == .connecting {
      guard wait.isWritable(place) else { return [] }
      var error: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
      guard error == 0 else { return connectNext(lastFailure: networkFailure(error)) }
      state = .open
      deadline = nil
      return [.opened(id: id)]
    }
    if wait.isWritable(place) { replies += flush() }
    if state == .open && wait.isReadable(place) { replies += receive() }
    return replies
  }

  private mutating func flush() -> [NetworkReply] {
    var count = 0
    while let bytes = isUDP ? datagrams.first : outgoing.isEmpty ? nil : outgoing {
      let sent = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent < 0 && errno == EINTR { continue }
      if sent < 0 && errno == EAGAIN { break }
      // A datagram that nobody wants is lost, as on the air.
      guard sent >= 0 || isUDP else { return [.closed(id: id)] }
      if isUDP { datagrams.removeFirst() } else { outgoing.removeFirst(sent) }
      count += isUDP ? bytes.count : sent
    }
    return count > 0 ? [.sent(id: id, count: count)] : []
  }

  private mutating func receive() -> [NetworkReply] {
    var replies: [NetworkReply] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // A few reads at most: the serial line must not wait for a fast server.
    for _ in 0..<4 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        replies.append(.received(id: id, bytes: Array(buffer[..<count])))
      } else if count == 0 && !isUDP {
        state = .ended
        replies.append(.closed(id: id))
        break
      } else {
        let error = errno
        if count < 0 && error != EAGAIN && error != EINTR && !isUDP {
          state = .ended
          replies.append(.closed(id: id))
        }
        break
      }
    }
    return replies
  }
}

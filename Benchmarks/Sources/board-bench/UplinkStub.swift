import Glibc
import LinuxDevices
import Quantities
import Synchronization

/// A server that answers at once and stamps the first byte of every packet: an MQTT broker of a few lines, or HTTP.
final class UplinkStub: Sendable {
  enum Kind: String { case mqtt, http }

  /// A packet, and when its first byte was here.
  struct Arrival {
    var firstByte: Instant
    var text: String
  }

  let kind: Kind
  let port: UInt16
  private let listener: Int32
  private let arrivals = Arrivals()

  /// What the threads of the connections share.
  private final class Arrivals: Sendable {
    let all = Mutex<[Arrival]>([])
  }

  init(_ kind: Kind) throws {
    self.kind = kind
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else { throw RigFailure("no free port") }
    port = UInt16(bigEndian: address.sin_port)
    let isStarted = BackgroundThread.start { [arrivals] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        _ = BackgroundThread.start {
          UplinkStub.serve(connection, kind) { arrival in arrivals.all.withLock { $0.append(arrival) } }
          close(connection)
        }
      }
    }
    guard isStarted else { throw RigFailure("no thread") }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The entry in `uplinks`.
  var section: String {
    switch kind {
    case .mqtt: "{ by: 'mqtt', host: '127.0.0.1', port: \(port) }"
    case .http: "{ by: 'http', url: 'http://127.0.0.1:\(port)/pub' }"
    }
  }

  /// Everything that came so far.
  var all: [Arrival] { arrivals.all.withLock { $0 } }

  private static func serve(_ connection: Int32, _ kind: Kind, _ note: (Arrival) -> Void) {
    var yes: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    var bytes: [UInt8] = []
    var begin = Instant.zero
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      if bytes.isEmpty { begin = MonotonicClock.now }
      guard count > 0 else { return }
      bytes += buffer[..<count]
      while let (length, payload, answer) = kind == .mqtt ? mqtt(bytes) : http(bytes) {
        if !answer.isEmpty { _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL)) }
        if let payload { note(Arrival(firstByte: begin, text: String(decoding: payload, as: UTF8.self))) }
        bytes.removeFirst(length)
      }
    }
  }

  /// The first packet: its length, what was published, and the answer.
  ///
  /// - Source: [mqtt311] sections 2.2 and 3.
  private static func mqtt(_ bytes: [UInt8]) -> (Int, ArraySlice<UInt8>?, [UInt8])? {
    var length = 0
    var place = 1
    while true {
      guard place < bytes.count, place < 5 else { return nil }
      length |= Int(bytes[place] & 0x7F) << (7 * (place - 1))
      place += 1
      if bytes[place - 1] < 0x80 { break }
    }
    guard bytes.count >= place + length else { return nil }
    let body = bytes[place..<place + length]
    let identifier = { (at: Int) in [bytes[at], bytes[at + 1]] }
    switch bytes[0] >> 4 {
    case 1: return (place + length, nil, [0x20, 2, 0, 0])
    case 3:
      let topic = Int(bytes[place]) << 8 | Int(bytes[place + 1])
      let after = place + 2 + topic
      return (place + length, body[(after + 2)...], [0x40, 2] + identifier(after))
    case 8: return (place + length, nil, [0x90, 3] + identifier(place) + [1])
    case 12: return (place + length, nil, [0xD0, 0])
    default: return (place + length, nil, [])
    }
  }

  private static func http(_ bytes: [UInt8]) -> (Int, ArraySlice<UInt8>?, [UInt8])? {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    guard let place = head.split(separator: "\r\n").first(where: { $0.hasPrefix("content-length:") }),
      let length = Int(place.dropFirst(15).drop { $0 == " " }), bytes.count >= end + 4 + length
    else { return nil }
    return (
      end + 4 + length, bytes[(end + 4)..<(end + 4 + length)],
      Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    )
  }
}

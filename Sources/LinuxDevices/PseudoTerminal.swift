import CLinuxShim
import Glibc

/// A serial port that a program makes for others: what clients write to it is read here, and the reverse.
///
/// The clients' side is kept open here, so that it survives from one client to the next, as a port on a board would. It is
/// raw from the beginning. Pins such as DTR do not exist on a pseudo-terminal; the speed does.
public final class PseudoTerminal {
  /// The clients' side, such as `/dev/pts/5`.
  public let path: String
  /// The link to it, when there is one.
  public let link: String?
  /// This side, for `poll`; non-blocking.
  public let descriptor: Int32
  /// Becomes readable when a client comes or goes; -1 where the kernel does not say.
  public let clientDescriptor: Int32
  /// How many times clients hold it open just now; nil where the kernel does not say.
  public private(set) var clientCount: Int?
  private let client: Int32

  /// Makes a pseudo-terminal.
  ///
  /// - Parameters:
  ///   - bitsPerSecond: The speed that a client finds which does not set one.
  ///   - link: Where a symbolic link to it is to stand. One that points nowhere is replaced; anything else stays, and is reported.
  /// - Throws: When the machine has no more of them, or the link can't be made.
  public init(bitsPerSecond: Int = 115_200, link: String? = nil) throws(DeviceFailure) {
    let multiplexer = "/dev/ptmx"
    var name = [CChar](repeating: 0, count: 64)
    let own = leash_make_pseudo_terminal(&name, name.count)
    guard own >= 0 else { throw DeviceFailure(.create, multiplexer, errorNumber: -own, .other) }
    let path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let client = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    let code = client < 0 ? errno : -leash_terminal_make_raw(client)
    guard code == 0 else {
      if client >= 0 { close(client) }
      close(own)
      throw DeviceFailure(.create, path, errorNumber: code, .other)
    }
    _ = leash_terminal_set_rate(client, UInt32(clamping: bitsPerSecond))
    do throws(DeviceFailure) {
      if let link { try makeLink(at: link, to: path) }
    } catch {
      close(client)
      close(own)
      throw error
    }
    self.path = path
    self.link = link
    self.client = client
    descriptor = own
    clientDescriptor = max(-1, leash_watch_opens(path))
    clientCount = clientDescriptor >= 0 ? 0 : nil
  }

  deinit {
    if let link, linkTarget(link) == path { unlink(link) }
    if clientDescriptor >= 0 { close(clientDescriptor) }
    close(client)
    close(descriptor)
  }

  /// The speed that the client set, or found; nil when it can't be read.
  public var bitsPerSecond: Int? {
    let rate = leash_terminal_rate(descriptor)
    return rate > 0 ? Int(rate) : nil
  }

  /// Notes who came and who went; call it when `clientDescriptor` is readable.
  ///
  /// - Returns: True when the last one went. What it did to the terminal goes with it: a lock that a dead client left, echo,
  ///   lines; the speed stays, as on a real port.
  @discardableResult public func countClients() -> Bool {
    guard let count = clientCount else { return false }
    var opened: Int32 = 0
    var closed: Int32 = 0
    leash_count_opens(clientDescriptor, &opened, &closed)
    let now = max(0, count + Int(opened) - Int(closed))
    clientCount = now
    guard closed > 0 && now == 0 else { return false }
    _ = ioctl(client, UInt(TIOCNXCL), 0)
    _ = leash_terminal_make_raw(client)
    return true
  }

  /// Reads what clients wrote, at most as many bytes as the array has, to its beginning.
  ///
  /// - Returns: How many; 0 when there is nothing.
  public func read(into buffer: inout [UInt8]) throws(DeviceFailure) -> Int {
    try SerialDescriptor.read(descriptor, path: path, into: &buffer)
  }

  /// What clients wrote, 4 KiB at most; empty when there is nothing.
  public func read() throws(DeviceFailure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try read(into: &buffer)
    buffer.removeLast(buffer.count - count)
    return buffer
  }

  /// Gives clients bytes to read.
  ///
  /// - Returns: How many fitted; fewer than there are when nobody reads.
  public func write(_ bytes: ArraySlice<UInt8>) throws(DeviceFailure) -> Int {
    try SerialDescriptor.write(descriptor, path: path, bytes)
  }

  /// Takes back what was written and no client has read.
  public func discardUnread() { tcflush(client, TCIFLUSH) }
}

/// Makes a symbolic link; a dangling one, as a killed program leaves it, makes room.
private func makeLink(at link: String, to target: String) throws(DeviceFailure) {
  if symlink(target, link) == 0 { return }
  guard errno == EEXIST else { throw DeviceFailure(.create, link, errorNumber: errno, .other) }
  guard let old = linkTarget(link) else {
    throw DeviceFailure(.create, link, errorNumber: EEXIST, .pathTaken(by: "a file"))
  }
  if old == target { return }
  var status = stat()
  guard stat(link, &status) != 0 else {
    throw DeviceFailure(.create, link, errorNumber: EEXIST, .pathTaken(by: "a link to \(old)"))
  }
  // By way of another name, so that the link is never missing in between.
  let fresh = "\(link).\(getpid())"
  guard symlink(target, fresh) == 0, rename(fresh, link) == 0 else {
    let code = errno
    unlink(fresh)
    throw DeviceFailure(.create, link, errorNumber: code, .other)
  }
}

import CMicroHTTPD
import Glibc
import LinuxDevices
import Quantities

/// The local page: an HTTP server in the run loop, without a thread of its own.
///
/// It listens on the one address it was given, and answers only requests addressed to this machine by a name that nobody else can own.
/// It only shows, to everybody who can reach the address, unless its content takes requests: those are a POST of the page itself, and
/// signed, which is not looked at here.
package final class StatusPageServer: LoopMember {
  /// What a client can take of the tracker.
  enum Limits {
    /// Connections at a time; further ones wait in the kernel's queue.
    static let connections: UInt32 = 64
    /// For a connection's request and headers, bytes: a longer request is refused.
    static let connectionMemory = 16_384
    /// A connection that is silent for so long is closed, s.
    static let idleSeconds: UInt32 = 15
    /// A request, its answer taken by the client included, may last so long: a byte now and then keeps no connection.
    static let requestAfter = Interval.seconds(60)
    /// Bytes of answers that wait for slow clients, all together.
    static let outgoing = 8 << 20
  }

  /// A connection, from when it was made or its last request was done.
  private struct Connection {
    let descriptor: Int32
    var deadline: Instant
  }

  /// Where it was asked to listen.
  package let address: PageAddress
  /// The port that it has; nil while it does not listen.
  package private(set) var port: UInt16?

  let content: PageContent
  private let folder: String?
  private(set) weak var loop: EventLoop?
  private var daemon: OpaquePointer?
  /// Requests that are being sent, or wait for what becomes of them.
  var uploads: [OpaquePointer: PageUpload] = [:]
  private var descriptor: Int32 = -1
  private(set) var hosts: HostCheck
  private var connections: [OpaquePointer: Connection] = [:]
  private var ownDeadline: Instant?
  private var isWorking = false
  /// When the library was last let work: what it calls happens then.
  private var now = Instant.zero
  private var stopsAfterWork = false
  let outgoing = OutgoingBytes()

  /// A page that does not listen yet.
  ///
  /// - Parameters:
  ///   - address: Where to listen.
  ///   - content: What it shows.
  ///   - folder: Where the page's files are read from with each request, for whoever works on them; nil for those in the program.
  package init(_ address: PageAddress, content: PageContent, files folder: String? = nil) {
    self.address = address
    self.content = content
    self.folder = folder
    hosts = HostCheck(host: address.host, isLoopback: true)
  }

  deinit { if let daemon { MHD_stop_daemon(daemon) } }

  /// A link to the page; nil while it does not listen.
  package var link: String? { port.map { "http://\(PageAddress(host: address.host, port: $0).text)/" } }

  /// Listens, and joins the loop.
  ///
  /// - Throws: One line: the port is taken or needs rights, or the machine has no such address. Nothing is left open then.
  package func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    guard daemon == nil else { return }
    let socket = try ListeningSocket(address)
    let context = Unmanaged.passUnretained(self).toOpaque()
    let daemon = microhttpd_shim_start(
      socket.descriptor, Limits.connections, Limits.connectionMemory, Limits.idleSeconds,
      { context, connection, path, method, _, bytes, count, memory in
        StatusPageServer.of(context)?.take(connection, path, method, memory, bytes, count) ?? .NO
      }, { context, connection, _, _ in StatusPageServer.of(context)?.finish(connection) },
      { context, connection, _, change in StatusPageServer.of(context)?.note(change, connection) }, context)
    guard let daemon else {
      // The library may have closed it.
      if fcntl(socket.descriptor, F_GETFD) >= 0 { close(socket.descriptor) }
      throw DeviceFailure(.open, address.text, errorNumber: ENOMEM, .other)
    }
    let descriptor = microhttpd_shim_epoll(daemon)
    loop.add(self)
    do throws(DeviceFailure) {
      try loop.watch(descriptor, for: .reading, by: self)
    } catch {
      loop.remove(self)
      MHD_stop_daemon(daemon)
      throw error
    }
    self.daemon = daemon
    self.descriptor = descriptor
    self.loop = loop
    port = socket.port
    hosts = HostCheck(host: address.host, isLoopback: socket.isLoopback)
    work(at: now)
  }

  /// Closes all connections and no longer listens. Legal at any time.
  package func stop() {
    guard let daemon else { return }
    guard !isWorking else {
      stopsAfterWork = true
      return
    }
    loop?.forget(descriptor)
    loop?.remove(self)
    loop = nil
    self.daemon = nil
    descriptor = -1
    port = nil
    // The library wants none left waiting.
    for (connection, upload) in uploads where upload.isWaiting { MHD_resume_connection(connection) }
    uploads = [:]
    MHD_stop_daemon(daemon)
    connections = [:]
    ownDeadline = nil
    stopsAfterWork = false
  }

  /// See `LoopMember`.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) { work(at: now) }

  /// See `LoopMember`.
  package func advance(to now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    for (pointer, connection) in connections where connection.deadline <= now {
      // The library sees the end and closes it; once is enough.
      shutdown(connection.descriptor, Int32(SHUT_RDWR))
      connections[pointer]?.deadline = now + Limits.requestAfter
    }
    work(at: now)
  }

  /// See `LoopMember`.
  package var nextDeadline: Instant? {
    guard let first = connections.values.map(\.deadline).min() else { return ownDeadline }
    return min(first, ownDeadline ?? first)
  }

  /// Connections at the moment.
  var connectionCount: Int { connections.count }
  /// Bytes of answers that wait for slow clients.
  var outgoingCount: Int { outgoing.count }

  /// Lets the library do what it can without waiting.
  func work(at now: Instant) {
    guard let daemon, !isWorking else { return }
    self.now = now
    isWorking = true
    var wasFull = false
    repeat {
      wasFull = connections.count >= Int(Limits.connections)
      MHD_run(daemon)
      // With room again, the library looks at its listening socket only when it is called once more.
    } while wasFull && connections.count < Int(Limits.connections)
    isWorking = false
    var milliseconds: UInt64 = 0
    ownDeadline =
      MHD_get_timeout(daemon, &milliseconds) == .YES
      ? now + .milliseconds(Int(min(milliseconds, 3_600_000))) : nil
    if stopsAfterWork { stop() }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> StatusPageServer? {
    context.map { Unmanaged<StatusPageServer>.fromOpaque($0).takeUnretainedValue() }
  }
}

// What the library calls.
extension StatusPageServer {
  /// A connection was made or is gone.
  private func note(_ change: MHD_ConnectionNotificationCode, _ connection: OpaquePointer?) {
    guard let connection else { return }
    if change == .CONNECTION_NOTIFY_STARTED {
      connections[connection] = Connection(
        descriptor: microhttpd_shim_socket(connection), deadline: now + Limits.requestAfter)
    } else {
      connections[connection] = nil
      uploads[connection] = nil
    }
  }

  /// A request is done, or was given up.
  private func finish(_ connection: OpaquePointer?) {
    guard let connection else { return }
    uploads[connection] = nil
    connections[connection]?.deadline = now + Limits.requestAfter
  }

  /// A request: called once when its head is there, and again when it is complete, which is when it is answered.
  private func take(
    _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ bytes: UnsafePointer<CChar>?,
    _ count: UnsafeMutablePointer<Int>?
  ) -> MHD_Result {
    guard let connection, let path, let method, let memory, let count else { return .NO }
    if content.requests != nil, strcmp(method, "POST") == 0, strcmp(path, PageUpload.path) == 0 {
      let isNew = memory.pointee == nil
      memory.pointee = UnsafeMutableRawPointer(connection)
      return takeUpload(connection, isNew: isNew, bytes, count)
    }
    let isRead = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0
    // Others are refused before a body comes, which nobody would want to read.
    if isRead && memory.pointee == nil {
      memory.pointee = UnsafeMutableRawPointer(connection)
      return .YES
    }
    let answer =
      !hosts.allows(header("Host", of: connection))
      ? refuseHost()
      : isRead ? answer(String(cString: path), connection) : PageResponse(405, "Only GET and HEAD.", in: outgoing)
    guard let answer else { return .NO }
    return MHD_queue_response(connection, answer.status, answer.pointer)
  }

  /// A header of a request; nil when it is not there.
  func header(_ name: String, of connection: OpaquePointer) -> String? {
    MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
  }

  func refuseHost() -> PageResponse? {
    PageResponse(
      403, "This page is served only at numeric addresses, localhost, or the configured name.",
      in: outgoing)
  }

  private func answer(_ path: String, _ connection: OpaquePointer) -> PageResponse? {
    if let file = PageFile.at(path, isWorld: content.world != nil) {
      guard let folder else { return PageResponse(200, type: file.type, file.built, in: outgoing) }
      guard let bytes = file.bytes(in: folder) else {
        return PageResponse(404, "\(file.name) can't be read in the page's folder.", in: outgoing)
      }
      return PageResponse(200, type: file.type, bytes, in: outgoing)
    }
    if let world = content.world {
      guard path == "/world.json" else { return PageResponse(404, "There is no such page.", in: outgoing) }
      let after = MHD_lookup_connection_value(connection, .GET_ARGUMENT_KIND, "after").map { String(cString: $0) }
      return json(world(after ?? ""))
    }
    switch path {
    case "/status.json": return json(content.status())
    case "/fences.json": return json(content.fences())
    case "/history.json", "/dialogue.json":
      guard let after = number(of: connection) else {
        return PageResponse(400, "after: expected a whole number, 0 or more.", in: outgoing)
      }
      return json(path == "/history.json" ? content.history(after) : content.dialogue(after))
    default: return PageResponse(404, "There is no such page.", in: outgoing)
    }
  }

  /// The argument `after`: 0 when it is not there, nil when it is no number.
  private func number(of connection: OpaquePointer) -> Int? {
    guard let text = MHD_lookup_connection_value(connection, .GET_ARGUMENT_KIND, "after") else { return 0 }
    guard let number = Int(String(cString: text)), number >= 0 else { return nil }
    return number
  }

  func json(_ bytes: [UInt8], status: UInt32 = 200) -> PageResponse? {
    // The first answer always goes, however long.
    guard outgoing.count == 0 || outgoing.count + bytes.count <= Limits.outgoing else {
      return PageResponse(503, "Too many answers are waiting for other clients.", in: outgoing)
    }
    return PageResponse(status, type: "application/json", bytes, in: outgoing)
  }
}

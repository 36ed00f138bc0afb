import Glibc
import LinuxDevices
import Quantities

/// Something the measurement can't go on without.
struct RigFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// Files, an inertial sensor in a made IIO tree, a receiver on a pseudo-terminal, and `leash run` between them.
final class Rig {
  /// What `leash run` is set to.
  struct Setting {
    var uplink = ""
    var hasReceiver = false
    var isRecording = false
    var page: UInt16?
    /// Seconds without motion until it is parked.
    var armAfter = 1
    /// Movement and rest seen within tenths of a second, for many alerts in little time.
    var isQuick = false
    /// A library that stands before the C library, to slow the storage down.
    var preloaded: String?
  }

  let folder: String
  let fifo: Int32
  let receiver: PseudoTerminal
  private let leash: String
  private(set) var process: pid_t = -1
  private var errors: String { folder + "/errors" }

  init(leash: String, in parent: String) throws {
    self.leash = leash
    folder = "\(parent)/leash-bench-\(getpid())"
    receiver = try PseudoTerminal()
    let device = folder + "/iio/sys/bus/iio/devices/iio:device0"
    var files = [
      "name": "bmi160", "buffer/enable": "0", "buffer/length": "2", "in_accel_scale": "0.002",
      "in_anglvel_scale": "0.001", "current_timestamp_clock": "monotonic", "sampling_frequency": "100",
    ]
    let axes = ["accel_x", "accel_y", "accel_z", "anglvel_x", "anglvel_y", "anglvel_z"]
    for (index, name) in (axes + ["timestamp"]).enumerated() {
      files["scan_elements/in_\(name)_en"] = "0"
      files["scan_elements/in_\(name)_index"] = "\(index)"
      files["scan_elements/in_\(name)_type"] = index < 6 ? "le:s16/16>>0" : "le:s64/64>>0"
    }
    for path in [folder + "/iio/dev", device + "/buffer", device + "/scan_elements"] { try Rig.makeFolder(path) }
    for (name, text) in files { try Rig.write(text + "\n", to: "\(device)/\(name)") }
    let path = folder + "/iio/dev/iio:device0"
    guard mkfifo(path, 0o600) == 0 else { throw RigFailure("\(path): \(String(cString: strerror(errno)))") }
    fifo = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard fifo >= 0 else { throw RigFailure("\(path): \(String(cString: strerror(errno)))") }
  }

  deinit {
    end()
    close(fifo)
    let remover = try? Rig.spawn("/bin/rm", ["-rf", folder], environment: environ, errors: "/dev/null")
    var status: Int32 = 0
    if let remover { waitpid(remover, &status, 0) }
  }

  private static func makeFolder(_ path: String) throws {
    var place = path.startIndex
    while let slash = path[place...].dropFirst().firstIndex(of: "/") {
      mkdir(String(path[..<slash]), 0o755)
      place = slash
    }
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw RigFailure("\(path): \(String(cString: strerror(errno)))")
    }
  }

  static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw RigFailure("\(path): \(String(cString: strerror(errno)))") }
    fputs(text, file)
    fclose(file)
  }

  // MARK: The program

  /// Where it answers.
  var control: String { folder + "/control" }

  /// Starts `leash run`; gives how long it took until it said that it is ready, s.
  @discardableResult func start(_ setting: Setting, keepsState: Bool = false) throws -> Double {
    end()
    if !keepsState { for suffix in ["", "-wal", "-shm"] { unlink(folder + "/state.db" + suffix) } }
    let quick =
      setting.isQuick
      ? "touchDelay: 0, handlingConfirmation: 0, orientationConfirmation: 604800 }, rest: { window: 0.02, halfWindow: 0.04, "
        + "dwell: 0, shortestDwell: 0, minimumSamples: 2 }," : "},"
    try Rig.write(
      """
      {
        trackerId: 'bench', state: '\(folder)/state.db', control: '\(control)',
        gnss: \(setting.hasReceiver ? "{ source: 'serial', port: '\(receiver.path)', rate: 9600 }" : "{ source: 'none' }"),
        imu: { source: 'iio', device: 'bmi160', rate: 100, root: '\(folder)/iio' },
        uplinks: [\(setting.uplink)],
        \(setting.isRecording ? "record: { folder: '\(folder)/rides' }," : "")
        motion: { armAfter: \(setting.armAfter), \(quick)
      }
      """, to: folder + "/leash.json5")
    discardFrames()
    let notice = try NoticeSocket(folder + "/notice")
    var words = ["run", folder + "/leash.json5", "--json"]
    if let page = setting.page { words += ["--http", "127.0.0.1:\(page)"] }
    let begin = MonotonicClock.now
    setenv("NOTIFY_SOCKET", notice.path, 1)
    if let library = setting.preloaded { setenv("LD_PRELOAD", library, 1) }
    defer { unsetenv("LD_PRELOAD") }
    process = try Rig.spawn(leash, words, environment: environ, errors: errors)
    guard notice.waitForReady() else { throw RigFailure("leash run is not ready after 10 s; see \(errors)") }
    return (MonotonicClock.now - begin).secondsDouble
  }

  /// Ends it as `systemctl stop` does.
  func end() {
    guard process > 0 else { return }
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    process = -1
  }

  /// Ends it at once.
  func kill9() {
    guard process > 0 else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    process = -1
  }

  static func spawn(
    _ path: String, _ arguments: [String], environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    errors: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    var words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var process: pid_t = -1
    let code = posix_spawn(&process, path, &actions, nil, words, environment)
    guard code == 0 else { throw RigFailure("\(path): \(String(cString: strerror(code)))") }
    return process
  }

  /// Asks it through its local socket; gives the line it answers.
  func ask(_ line: String) throws -> String {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = localAddress(control)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    let request = line + "\n"
    guard isConnected, Glibc.send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count
    else {
      throw RigFailure("\(control): no answer")
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while answer.last != 0x0A {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  // MARK: The sensor

  /// The frame of a reading: six numbers, four bytes of padding, the time in ns.
  static func frame(_ count: Int, isShaking: Bool, at time: Instant) -> [UInt8] {
    func noise() -> Int16 { Int16.random(in: -5...5) }
    let sign: Int16 = isShaking ? (count / 2 % 2 == 0 ? 1 : -1) : 0
    let values = [noise() + sign * 2000, noise(), 4903 + noise(), noise(), noise() + sign * 1000, noise()]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    for value in values { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    bytes += [0, 0, 0, 0]
    withUnsafeBytes(of: (time.microseconds * 1000).littleEndian) { bytes += $0 }
    return bytes
  }

  /// Makes a frame readable; false when the buffer is full.
  func send(_ frame: [UInt8]) -> Bool { Glibc.write(fifo, frame, frame.count) == frame.count }

  private func discardFrames() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while Glibc.read(fifo, &bytes, bytes.count) > 0 {}
  }

  // MARK: The process from outside

  /// Processor time so far, s.
  func processorSeconds() -> Double {
    // proc(5), stat: utime and stime are fields 14 and 15; the name in field 2 ends with a parenthesis.
    let text = Rig.read("/proc/\(process)/stat")
    guard let end = text.lastIndex(of: ")") else { return 0 }
    let words = text[end...].split(separator: " ")
    guard words.count > 13, let user = Double(words[12]), let system = Double(words[13]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Memory in use, KiB.
  func residentKibibytes() -> Int {
    let lines = Rig.read("/proc/\(process)/status").split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }

  static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

/// Where systemd would be told that the service is ready.
private final class NoticeSocket {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = localAddress(path)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound else { throw RigFailure("\(path): \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  func waitForReady() -> Bool {
    let limit = MonotonicClock.now + .seconds(10)
    var bytes = [UInt8](repeating: 0, count: 1024)
    while MonotonicClock.now < limit {
      var wait = EventWait()
      let place = wait.add(descriptor)
      wait.wait(until: limit)
      guard wait.isReadable(place) else { continue }
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count > 0, String(decoding: bytes.prefix(count), as: UTF8.self).contains("READY=1") { return true }
    }
    return false
  }
}

/// The address of a local socket.
private func localAddress(_ path: String) -> sockaddr_un {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix(107)) }
  return address
}

import BenchmarkHarness
import Glibc
import LinuxDevices
import Quantities

/// Plays the sensor in real time at 100 Hz: a frame is dated when it is made readable, as an interrupt dates it.
struct Player {
  let rig: Rig
  private var next = MonotonicClock.now
  private var count = 0
  /// Times of the last frames.
  private(set) var times: [Instant] = []

  init(_ rig: Rig) { self.rig = rig }

  /// Plays so many frames; `body` is called after each, and ends it by answering true.
  @discardableResult mutating func play(
    _ frames: Int, isShaking: Bool = false, until body: () throws -> Bool = { false }
  ) throws -> Bool {
    for _ in 0..<frames {
      var wait = EventWait()
      wait.wait(until: next)
      let time = MonotonicClock.now
      next = max(next + .milliseconds(10), time - .milliseconds(50))
      _ = rig.send(Rig.frame(count, isShaking: isShaking, at: time))
      times.append(time)
      if times.count > 2000 { times.removeFirst(1000) }
      count += 1
      if try body() { return true }
    }
    return false
  }
}

/// The number behind a key of a flat JSON object.
func jsonNumber(_ key: String, in text: String) -> Double? {
  let mark = Array("\"\(key)\":".utf8)
  let bytes = Array(text.utf8)
  guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
  let digits = bytes[(place + mark.count)...].prefix { $0 != 0x2C && $0 != 0x7D }
  return Double(String(decoding: digits, as: UTF8.self))
}

func tell(_ rig: Rig, _ request: String) throws { _ = try rig.ask("command \(request)") }

/// From the time of the sample with which the tracker decided to the first byte at the server, with a link open.
///
/// - Parameter preloaded: A library that slows the storage down; the longest turn of the loop is told, too.
func measureLatency(_ rig: Rig, _ kind: UplinkStub.Kind, alerts: Int, preloaded: String? = nil) throws {
  let stub = try UplinkStub(kind)
  try rig.start(
    Rig.Setting(uplink: stub.section, isRecording: preloaded != nil, isQuick: true, preloaded: preloaded))
  var player = Player(rig)
  // Parked, armed, and a packet through: the link is open.
  try player.play(200)
  try tell(rig, "locate")
  let isOpen = try player.play(500) { !stub.all.isEmpty }
  guard isOpen else { throw RigFailure("no packet came within five seconds") }
  var latencies: [Double] = []
  var tries = 0
  while latencies.count < alerts, tries < 2 * alerts {
    tries += 1
    // A new alarm needs a new watch, and the link rests before it as it would.
    try player.play(40)
    try tell(rig, "alerts off")
    try tell(rig, "alerts on")
    try player.play(40)
    let before = stub.all.count
    let hasCome = try player.play(60, isShaking: true) { stub.all.dropFirst(before).contains(where: isAlert) }
    guard hasCome, let alert = stub.all.dropFirst(before).first(where: isAlert),
      let uptime = jsonNumber("uptime", in: alert.text),
      let time = player.times.last(where: { ($0.microseconds / 1000) == Int64((uptime * 1000).rounded()) })
    else { continue }
    latencies.append((alert.firstByte - time).secondsDouble)
  }
  guard latencies.count >= alerts else { throw RigFailure("only \(latencies.count) of \(tries) movements were told") }
  print("alerts: \(latencies.count)")
  print("median ms: \(milliseconds(quantile(latencies, 0.5)))")
  print("95 % ms: \(milliseconds(quantile(latencies, 0.95)))")
  print("largest ms: \(milliseconds(quantile(latencies, 1)))")
  let status = try rig.ask("status")
  if let turn = jsonNumber("longestTurnMilliseconds", in: status) { print("longest turn ms: \(fixed(turn, 2))") }
  if let commit = jsonNumber("longestCommitMilliseconds", in: status) {
    print("longest change ms: \(fixed(commit, 0))")
  }
}

private func isAlert(_ arrival: UplinkStub.Arrival) -> Bool { arrival.text.contains("\"type\":\"movement\"") }

/// What the storage takes for as much as a change of the state writes: a few pages of 4 KiB behind the others, and one sync.
func measureSync(_ rig: Rig, times: Int) throws {
  let path = rig.folder + "/sync"
  let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
  guard file >= 0 else { throw RigFailure("\(path): \(String(cString: strerror(errno)))") }
  defer { close(file) }
  let pages = [UInt8](repeating: 7, count: 3 * 4120)
  var took: [Double] = []
  for _ in 0..<times {
    let begin = MonotonicClock.now
    guard Glibc.write(file, pages, pages.count) == pages.count, fdatasync(file) == 0 else {
      throw RigFailure("\(path): \(String(cString: strerror(errno)))")
    }
    took.append((MonotonicClock.now - begin).secondsDouble)
    usleep(20_000)
  }
  print("sync median ms: \(milliseconds(quantile(took, 0.5)))")
  print("sync 95 % ms: \(milliseconds(quantile(took, 0.95)))")
}

/// Sentences of a receiver that stands, for one second.
func sentences(_ second: Int) -> [UInt8] {
  func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
  let time = "\(two(second / 3600 % 24))\(two(second / 60 % 60))\(two(second % 60)).00"
  let bodies = [
    "GPRMC,\(time),A,5030.0000,N,00530.0000,E,0.05,,150626,,,A",
    "GPGGA,\(time),5030.0000,N,00530.0000,E,1,09,0.9,250.0,M,47.0,M,,",
    "GPGSA,A,3,01,03,06,11,14,17,19,22,31,,,,1.7,0.9,1.4",
    "GPGSV,1,1,04,01,40,083,46,03,17,308,41,06,07,344,39,11,22,228,45",
  ]
  return bodies.flatMap { body in
    let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n".utf8)
  }
}

/// Processor time at 100 Hz of the sensor and one fix a second, parked, and memory before and after.
func measureLoad(_ rig: Rig, _ setting: Rig.Setting, seconds: Int) throws {
  let stub = try UplinkStub(.mqtt)
  var setting = setting
  setting.uplink = stub.section
  try rig.start(setting)
  var player = Player(rig)
  var second = 0
  var frames = 0
  func play(_ seconds: Int) throws {
    try player.play(100 * seconds) {
      frames += 1
      guard frames % 100 == 0 else { return false }
      second += 1
      let bytes = sentences(second)
      _ = try rig.receiver.write(bytes[...])
      if let page = setting.page { askPage(page) }
      return false
    }
  }
  // The receiver's speed is found, the fix is there, it is parked.
  try play(10)
  let answer = try rig.ask("status")
  guard answer.contains("\"phase\":\"parked\"") else { throw RigFailure("it is not parked after 10 s: \(answer)") }
  let (begin, busy, memory) = (MonotonicClock.now, rig.processorSeconds(), rig.residentKibibytes())
  try play(seconds)
  let wall = (MonotonicClock.now - begin).secondsDouble
  print("cpu %: \(fixed((rig.processorSeconds() - busy) / wall * 100, 2))")
  print("seconds: \(fixed(wall, 0))")
  print("resident KiB: \(memory) then \(rig.residentKibibytes())")
  let now = try rig.ask("status")
  guard now.contains("\"phase\":\"parked\"") else { throw RigFailure("it was not parked all the time: \(now)") }
}

/// What an open page asks every second; the answers are read in another thread.
func askPage(_ port: UInt16) {
  _ = BackgroundThread.start {
    for path in ["status.json", "history.json?after=0", "dialogue.json?after=0"] {
      let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { close(connection) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isConnected else { continue }
      let request = "GET /\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
      _ = send(connection, request, request.utf8.count, Int32(MSG_NOSIGNAL))
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while recv(connection, &buffer, buffer.count, 0) > 0 {}
    }
  }
}

/// Memory while samples come as fast as they are taken, with a fix for each hundred and a packet for each thousand.
func measureMemory(_ rig: Rig, samples: Int) throws {
  let stub = try UplinkStub(.mqtt)
  try rig.start(Rig.Setting(uplink: stub.section, hasReceiver: true))
  var player = Player(rig)
  try player.play(300)
  print("resident KiB at the start: \(rig.residentKibibytes())")
  let begin = MonotonicClock.now
  for place in 1...samples {
    let frame = Rig.frame(place, isShaking: place / 3000 % 5 == 1, at: MonotonicClock.now)
    while !rig.send(frame) {
      var wait = EventWait()
      wait.add(rig.fifo, reading: false, writing: true)
      wait.wait(until: MonotonicClock.now + .seconds(1))
    }
    if place % 100 == 0 { _ = try? rig.receiver.write(sentences(place / 100)[...]) }
    if place % 1000 == 0 { try tell(rig, "locate") }
    if place == samples / 10 || place == samples / 2 || place == samples {
      print("resident KiB at \(place * 100 / samples) %: \(rig.residentKibibytes())")
    }
  }
  print("samples: \(samples) in \(fixed((MonotonicClock.now - begin).secondsDouble, 1)) s")
  print("packets: \(stub.all.count)")
}

/// From the start of the process to its word that it is ready, with a state of an earlier life.
func measureStart(_ rig: Rig, times: Int) throws {
  let stub = try UplinkStub(.http)
  let setting = Rig.Setting(uplink: stub.section)
  try rig.start(setting)
  var took: [Double] = []
  for _ in 0..<times {
    rig.kill9()
    took.append(try rig.start(setting, keepsState: true))
  }
  print("ready median ms: \(milliseconds(quantile(took, 0.5)))")
  print("ready 95 % ms: \(milliseconds(quantile(took, 0.95)))")
}

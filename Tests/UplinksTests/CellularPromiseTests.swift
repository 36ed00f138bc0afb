import Glibc
import LinuxDevices
import TrackerRuntime
import Quantities
import ServerSupport
import Telemetry
import Testing

@testable import Uplinks

private func packet(_ sequence: UInt32, _ kind: PacketKind = .location) -> OutgoingPacket {
  OutgoingPacket(sequence: sequence, kind: kind, bytes: Array("packet \(sequence)".utf8))
}

/// A serial line in memory.
private final class MemoryLine: SerialTransport {
  let path = "/dev/memory"
  private let wakeUp: WakeUp
  var descriptor: Int32 { wakeUp.descriptor }
  let bitsPerSecond = 115_200
  let hasPins = false
  /// Bytes it takes before it is full.
  var room = Int.max
  var isGone = false
  private(set) var written: [UInt8] = []
  private(set) var isClosed = false
  init() throws(DeviceFailure) { wakeUp = try WakeUp() }
  func read(into buffer: inout [UInt8]) throws(DeviceFailure) -> Int { 0 }
  func write(_ bytes: ArraySlice<UInt8>) throws(DeviceFailure) -> Int {
    if isGone { throw DeviceFailure(.write, path, .unplugged) }
    let count = min(room, bytes.count)
    room -= count
    written += bytes.prefix(count)
    return count
  }
  func setRate(_ bitsPerSecond: Int) throws(DeviceFailure) {}
  func set(_ pin: SerialPin, asserted: Bool) throws(DeviceFailure) {}
  func isAsserted(_ pin: SerialPin) throws(DeviceFailure) -> Bool { false }
  func discardInput() {}
  func close() { isClosed = true }
}

/// The modem's port and what is shown of it.
@Suite struct CellularPromiseTests {
  private static let missing = DeviceFailure(.open, "/dev/modem", errorNumber: ENOENT, .noSuchPort(others: []))

  @Test func aPortThatIsMissingIsTriedEveryTenSecondsAtTheLatest() throws {
    var tries = 0
    let uplink = CellularUplink(ModemSettings(), clock: MachineClock(), seed: 3) { _, _ throws(DeviceFailure) in
      tries += 1
      throw Self.missing
    }
    let loop = try EventLoop(clock: MachineClock())
    var now = Instant.seconds(1000)
    try uplink.start(in: loop, at: now)
    for seconds in [1, 2, 4, 8, 10, 10, 10] {
      let due = try #require(uplink.nextDeadline)
      let wait = due - now
      #expect(wait >= .seconds(seconds) && wait <= .milliseconds(min(10_000, seconds * 1250)), "\(seconds)")
      #expect(uplink.state == .failed(reason: Self.missing.message, retryAt: due))
      let before = tries
      uplink.advance(to: due - Interval(microseconds: 1))
      #expect(tries == before)
      uplink.advance(to: due)
      #expect(tries == before + 1)
      now = due
    }
    // An alert does not wait for the end of it; a report does.
    let due = try #require(uplink.nextDeadline)
    uplink.take(packet(1), at: now + .seconds(1))
    #expect(uplink.nextDeadline == due)
    uplink.take(packet(2, .movement), at: now + .seconds(1))
    #expect(uplink.nextDeadline == now + .seconds(2))
    #expect(uplink.facts.contains { $0 == ("waiting", "2") } && uplink.facts.contains { $0 == ("port opened", "0") })
    uplink.forget(1, way: 0)
    #expect(uplink.facts.contains { $0 == ("waiting", "1") })
    uplink.stop()
    #expect(uplink.state == .idle && uplink.nextDeadline == nil)
  }

  /// What a port that is gone did not take is not said to the modem that is plugged in next.
  @Test func aModemThatIsPluggedInAgainGetsNoRestOfAnOldCommand() throws {
    var lines: [MemoryLine] = []
    let uplink = CellularUplink(ModemSettings(), clock: MachineClock(), seed: 3) { _, _ throws(DeviceFailure) in
      let line = try MemoryLine()
      if lines.isEmpty { line.room = 1 }
      lines.append(line)
      return line
    }
    let loop = try EventLoop(clock: MachineClock())
    try uplink.start(in: loop, at: .seconds(1))
    uplink.take(packet(1), at: .seconds(1))
    func run(until holds: () -> Bool) throws {
      for _ in 0..<100 where !holds() { uplink.advance(to: try #require(uplink.nextDeadline)) }
      #expect(holds())
    }
    try run { !lines[0].written.isEmpty }
    #expect(lines[0].written == Array("A".utf8))
    lines[0].isGone = true
    uplink.handle(.writing, of: lines[0].descriptor, at: .seconds(60))
    #expect(lines[0].isClosed)
    guard case .failed = uplink.state else {
      Issue.record("\(uplink.state)")
      return
    }
    try run { lines.count == 2 && lines[1].written.count > 2 }
    #expect(lines[1].written.starts(with: Array("AT".utf8)), "\(String(decoding: lines[1].written, as: UTF8.self))")
    #expect(uplink.facts.contains { $0 == ("port opened", "2") })
    uplink.stop()
    #expect(lines[1].isClosed)
  }

  /// The chain gives a packet again that is still under way.
  @Test func aPacketThatIsUnderWayIsNotTakenTwice() throws {
    let uplink = CellularUplink(ModemSettings(), clock: MachineClock(), seed: 3) { _, _ throws(DeviceFailure) in
      try MemoryLine()
    }
    let loop = try EventLoop(clock: MachineClock())
    try uplink.start(in: loop, at: .seconds(1))
    for second in 1...3 { uplink.take(packet(1), at: .seconds(second)) }
    #expect(uplink.facts.contains { $0 == ("waiting", "1") })
    uplink.take(packet(2), at: .seconds(3))
    uplink.take(packet(2), at: .seconds(3))
    #expect(uplink.facts.contains { $0 == ("waiting", "2") })
    uplink.stop()
  }

  /// A driver that is stopped and started again has forgotten nothing, above all no packet.
  @Test func packetsOutliveTheStop() throws {
    let uplink = CellularUplink(ModemSettings(), clock: MachineClock(), seed: 3) { _, _ throws(DeviceFailure) in
      throw Self.missing
    }
    let loop = try EventLoop(clock: MachineClock())
    try uplink.start(in: loop, at: .seconds(1))
    uplink.take(packet(1), at: .seconds(1))
    uplink.stop()
    uplink.take(packet(2), at: .seconds(2))
    uplink.take(packet(2), at: .seconds(2))
    #expect(uplink.facts.contains { $0 == ("waiting", "2") })
  }

  @Test func shortSecretsAreHiddenAndTheShortestSayNothing() {
    for (secret, line, shown) in [
      ("abc", "x abc y", "x *** y"), ("ab", "x ab y", "x ab y"), ("***", "x *** y", "x *** y"),
      ("aa**", "aa**aa**", "******"),
      ("1234", "pin 1234,1234", "pin ***,***"), ("", "line", "line"),
    ] {
      var dialogue = ModemDialogue(secrets: [Array(secret.utf8)])
      dialogue.noteSent(Array((line + "\r").utf8), at: .zero)
      #expect(dialogue.lines.map(\.text) == [shown], "\(secret)")
    }
  }

  @Test(arguments: [
    "+CPIN=", "+CPWD=", "+CLCK=", "+CSTT=", "+CNCFG=", "+CGAUTH=", "+SAPBR=3,1,\"USER\",", "+SAPBR=3,1,\"PWD\",",
    "+SMCONF=\"USERNAME\",", "+SMCONF=\"PASSWORD\",", "+HTTPPARA=\"USERDATA\",", "+SHAHEAD=\"AUTHORIZATION\",",
  ]) func nothingIsShownBehindACommandThatCarriesCredentials(command: String) {
    for text in [command, command.lowercased()] {
      var dialogue = ModemDialogue()
      dialogue.noteSent(Array("AT\(text)\"a\",\"b\"\r".utf8), at: .zero)
      dialogue.noteHeard(Array("AT\(text)\"a\",\"b\"\r\n".utf8), at: .seconds(1))
      #expect(dialogue.lines.map(\.text) == ["AT\(text)***", "AT\(text)***"])
      #expect(dialogue.lines.map(\.isToModem) == [true, false] && dialogue.lines.map(\.number) == [1, 2])
    }
  }

  @Test func linesAreCutAndCountedAndTheOldestGo() {
    var dialogue = ModemDialogue()
    dialogue.noteSent([0x41, 0x0D, 0x42, 0x1A, 0x0A, 0x01, 0x7F, 0x0D], at: .zero)
    #expect(dialogue.lines.map(\.text) == ["A", "B", ".."])
    for count in [300, 301, 5000] {
      dialogue.noteSent([UInt8](repeating: 0x78, count: count) + [0x0D], at: .zero)
      #expect(dialogue.lines.last?.text == String(repeating: "x", count: 300) + (count > 300 ? "…" : ""))
      dialogue.noteHeard([UInt8](repeating: 0x79, count: count) + [0x0D, 0x0A], at: .zero)
      #expect(dialogue.lines.last?.text == String(repeating: "y", count: 300))
    }
    for number in 0..<190 { dialogue.noteHeard(Array("\(number)\n".utf8), at: .zero) }
    #expect(dialogue.lines.count == 199 && dialogue.lines.first?.number == 1)
    for number in 0..<3 { dialogue.noteHeard(Array("more \(number)\n".utf8), at: .zero) }
    #expect(dialogue.lines.count == 200 && dialogue.lines.first?.number == 3 && dialogue.lines.last?.number == 202)
  }
}

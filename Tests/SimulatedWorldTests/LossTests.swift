import FieldDialogue
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// What a modem says by itself to be gone: each loss has its remedy, and none is answered over and over without a wait.
@Suite struct LossTests {
  struct Loss: CustomStringConvertible, Sendable {
    let name: String
    let way: String
    let rules: String
    var description: String { name }
  }

  static let losses = [
    Loss(
      name: "a server closes without a word", way: "tcp",
      rules: "> @received\n< 0, CLOSED\n> AT+CIPRXGET=2,0,*\n< ERROR"),
    Loss(
      name: "a server closes a socket without a word", way: "applicationTCP",
      rules: "> @received\n< +CASTATE: 0,0\n> AT+CARECV?\n< +CARECV: 0,0\n< OK"),
    Loss(
      name: "another has the same client name", way: "mqtt",
      rules: "> AT+SMCONN\nwait 0.3\n< OK\n< +SMSTATE: 0\n> AT+SMPUB=*\n< ERROR"),
    Loss(
      name: "the profile is gone at once", way: "legacyHTTP",
      rules: "> AT+SAPBR=1,1\n< OK\n<+0.05 +SAPBR 1: DEACT\n> AT+HTTPACTION=1\n< OK\n<+0.1 +HTTPACTION: 1,601,0"),
    Loss(
      name: "the card is gone again and again", way: "mqtt",
      rules: "> AT+CEREG?\n< +CEREG: 1,1\n< OK\n< +CPIN: NOT INSERTED"),
    Loss(
      name: "the network is gone again and again", way: "mqtt",
      rules: "> AT+CEREG?\n< +CEREG: 1,1\n< OK\n< +CEREG: 2"),
    Loss(
      name: "a socket is gone at once", way: "applicationTCP",
      rules: "> AT+CAOPEN=0,*\n< +CAOPEN: 0,0\n< OK\n< +CASTATE: 0,0\n> AT+CASEND*\n< ERROR"),
    Loss(
      name: "a connection never runs out of data", way: "tcp",
      rules: "> AT+CIPRXGET=2,0,*\nraw \\r\\n+CIPRXGET: 2,0,6,999\\r\\nHELLO\\n\nraw \\r\\nOK\\r\\n"),
    Loss(
      name: "a socket never runs out of data", way: "applicationTCP",
      rules:
        "> AT+CARECV?\n< +CARECV: 0,6\n< OK\n> AT+CARECV=0,*\nraw \\r\\n+CARECV: 6,HELLO\\n\nraw \\r\\n\\r\\nOK\\r\\n"),
    Loss(
      name: "an HTTP session is gone at once", way: "http",
      rules: "> AT+SHCONN\nwait 0.3\n< OK\n< +SHSTATE: 0\n> AT+SHCHEAD\n< ERROR\n> AT+SHAHEAD*\n< ERROR\n"
        + "> AT+SHBOD*\n< ERROR"),
    Loss(
      name: "an HTTP session is gone a moment later", way: "http",
      rules: "> AT+SHCONN\nwait 0.3\n< OK\n<+0.02 +SHSTATE: 0"),
    Loss(
      name: "a bearer is gone at once", way: "mqtt",
      rules: "> AT+CNACT=1*\n< OK\n<+0.5 +APP PDP: ACTIVE\n<+0.51 +APP PDP: DEACTIVE\n> AT+SMCONN\nwait 1\n< ERROR"),
    Loss(
      name: "the bearer goes with each packet", way: "applicationTCP",
      rules: "> @received\n< +APP PDP: DEACTIVE\nset bearer 0\nset socket 0"),
    Loss(name: "the connections' bearer goes with each packet", way: "tcp", rules: "> @received\n< +PDP: DEACT"),
  ]

  /// The other way to the same server does not work: else it would be taken.
  private static let noOtherWay = [
    "tcp": "> AT+CAOPEN=0,*\n< +CAOPEN: 0,21\n< OK", "applicationTCP": "> AT+CIPSTART=0,*\n< OK\n<+0.3 0, CONNECT FAIL",
    "legacyHTTP": "> AT+SHCONN\nwait 1\n< ERROR", "http": "> AT+HTTPACTION*\n< OK\n<+0.1 +HTTPACTION: 1,601,0",
  ]

  private func run(_ loss: Loss, seed: UInt64 = 1) throws -> FieldRun {
    let all = "\(loss.rules)\n\(LossTests.noOtherWay[loss.way] ?? "")"
    let rules = all.split(separator: "\n").map { "ours \($0)\n" }.joined()
    let text = "transport \(loss.way)\nexpect unconfirmed yes\n\(rules)include plain.dialogue\n"
    let run = FieldRun(try FieldDialogue(text) { try FieldFiles.text($0) }, seed: seed)
    run.run()
    return run
  }

  /// Ten minutes cost what a lap of the ladder costs, not what the line takes.
  @Test(arguments: losses) func aLossThatComesAgainIsWaitedFor(loss: Loss) throws {
    let run = try run(loss)
    #expect(run.failures == [])
    #expect(run.peer.heard.count <= 600, "\(run.peer.heard.count) commands")
    #expect(run.peer.received.count <= 30, "\(run.peer.received.count) copies")
    #expect(run.transcript.contains { $0.contains("* recovery") })
  }

  /// A server that does not want this way is asked by the other.
  @Test func aServerThatClosesOneWayIsAskedByTheOther() throws {
    for way in ["tcp", "applicationTCP"] {
      let rules = LossTests.losses.first { $0.way == way }?.rules.split(separator: "\n").map { "ours \($0)\n" }.joined()
      let text = "transport \(way)\nexpect delivered within 60\nexpect resets 0\n\(rules ?? "")include plain.dialogue\n"
      let run = FieldRun(try FieldDialogue(text) { try FieldFiles.text($0) })
      run.run()
      #expect(run.failures == [])
    }
  }

  /// Whoever takes connections is reached: nothing below the session is at fault.
  @Test func aServerThatClosesIsAskedLaterAndLater() throws {
    for loss in LossTests.losses.prefix(2) {
      let run = try run(loss)
      #expect((3...14).contains(run.peer.received.count), "\(loss): \(run.peer.received.count)")
      #expect(run.peer.radioCycles + run.peer.resets + run.peer.powerCycles == 0)
    }
  }

  /// What was lost once is had again at once.
  @Test func aSingleLossIsNoTrouble() throws {
    let text =
      "transport http\nexpect delivered within 60\nours > AT+SHCONN\nours times 1\nours < OK\n"
      + "ours <+0.01 +SHSTATE: 0\ninclude plain.dialogue\n"
    let run = FieldRun(try FieldDialogue(text) { try FieldFiles.text($0) })
    run.run()
    #expect(run.failures == [])
    #expect(!run.transcript.contains { $0.contains("* recovery") })
  }

  /// The server answers and closes, and the modem says both in one breath.
  @Test(arguments: ["+CIPRXGET: 1,0\nours < 0, CLOSED", "0, CLOSED\nours < +CIPRXGET: 1,0"])
  func whatCameBeforeTheEndIsRead(notices: String) throws {
    let text =
      "transport tcp\nexpect delivered within 60\nexpect copies 1\nours > @received\nours < \(notices)\n"
      + "ours set connected 0\ninclude plain.dialogue\n"
    let run = FieldRun(try FieldDialogue(text) { try FieldFiles.text($0) })
    run.run()
    #expect(run.failures == [])
  }
}

import Delivery
import CCurl
import CMosquitto
import Foundation
import LinuxDevices
import TrackerRuntime
import Quantities
import SIM7000
import Telemetry
import Testing

@testable import Uplinks

/// What answers and errors mean, all of them.
@Suite struct UplinkWordsTests {
  private func outcome(
    _ code: CURLcode = CURLE_OK, status: Int = 0, retryAfter: Int = 0, redirect: String? = nil, errorNumber: Int32 = 0,
    detail: String = "detail", timeout: Interval = .seconds(30)
  ) -> HTTPOutcome {
    var result = HTTPResult(code: code)
    result.status = status
    result.retryAfterSeconds = retryAfter
    result.redirect = redirect
    result.errorNumber = errorNumber
    result.detail = detail
    return HTTPOutcome.of(result, sentTo: "http://a.example/x", timeout: timeout)
  }

  @Test func everyStatusDeliversIsTriedAgainOrHandsBack() {
    for status in 100...599 {
      let found = outcome(status: status)
      switch status {
      case 200...299: #expect(found == .delivered)
      case 408, 425, 429, 500...:
        let words =
          status == 429 ? "too many requests" : status == 408 ? "the server timed out" : "server error"
        #expect(found == .passing(reason: "status \(status): \(words)", retryAfter: nil))
      case 301, 302, 307, 308:
        let reason = "status \(status): the server redirects to another host or to http; change the address"
        #expect(found == .refused(reason: reason))
        #expect(outcome(status: status, redirect: "http://a.example/y") == .redirected(to: "http://a.example/y"))
        #expect(outcome(status: status, redirect: "http://b.example/y") == .refused(reason: reason))
      default:
        guard case .refused(let reason, _) = found else {
          Issue.record("\(status): \(found)")
          return
        }
        let parts = [
          400: "can't read", 401: "password", 403: "forbidden", 404: "path", 405: "POST", 413: "too large",
          415: "content type",
        ]
        #expect(reason.hasPrefix("status \(status)"))
        #expect(parts[status].map { reason.contains($0) } ?? (reason == "status \(status)"), "\(reason)")
      }
      // Where a server sends somebody is of no account with any other status.
      if ![301, 302, 307, 308].contains(status) {
        #expect(outcome(status: status, redirect: "http://a.example/y") == found)
      }
    }
  }

  @Test func theServersWishToBeLeftAloneIsHeardUpToAnHour() {
    for (asked, waits) in [(0, nil), (1, 1), (3599, 3599), (3600, 3600), (3601, 3600), (Int.max / 2_000_000, 3600)]
      as [(Int, Int?)]
    {
      for status in [408, 425, 429, 500, 503, 599] {
        guard case .passing(_, let wait) = outcome(status: status, retryAfter: asked) else {
          Issue.record("\(status)")
          return
        }
        #expect(wait == waits.map { .seconds($0) })
      }
      #expect(outcome(status: 200, retryAfter: asked) == .delivered)
    }
  }

  @Test func everyFailureOfAConnectionIsToldInAPhrase() {
    let passing: [(CURLcode, String)] = [
      (CURLE_COULDNT_RESOLVE_HOST, "no such host"), (CURLE_OPERATION_TIMEDOUT, "no answer within 30 s"),
      (CURLE_COULDNT_CONNECT, "the server can't be reached"), (CURLE_SSL_CONNECT_ERROR, "TLS failed: detail"),
      (CURLE_GOT_NOTHING, "the server closed the connection"), (CURLE_RECV_ERROR, "the server closed the connection"),
      (CURLE_SEND_ERROR, "the server closed the connection"), (CURLE_PARTIAL_FILE, "the server closed the connection"),
    ]
    for (code, reason) in passing { #expect(outcome(code, status: 500) == .passing(reason: reason, retryAfter: nil)) }
    #expect(
      outcome(CURLE_OPERATION_TIMEDOUT, timeout: .milliseconds(999))
        == .passing(reason: "no answer within the time set", retryAfter: nil))
    #expect(
      outcome(CURLE_COULDNT_CONNECT, errorNumber: ECONNREFUSED)
        == .passing(reason: "connection refused", retryAfter: nil))
    let broken: [(CURLcode, String)] = [
      (
        CURLE_PEER_FAILED_VERIFICATION,
        "the server's certificate is not trusted; check the authority file, the name and the clock"
      ), (CURLE_SSL_CACERT_BADFILE, "detail"), (CURLE_SSL_CERTPROBLEM, "detail"),
      (CURLE_URL_MALFORMAT, "the address is wrong; expected http:// or https://, a host and a path"),
      (CURLE_UNSUPPORTED_PROTOCOL, "not an HTTP server"),
      (CURLE_WEIRD_SERVER_REPLY, "not an HTTP server"),
    ]
    for (code, reason) in broken { #expect(outcome(code) == .broken(reason: reason)) }
    for (code, _) in passing { #expect(outcome(code, status: 204) == .delivered, "the status had come") }
    guard case .passing(let other, nil) = outcome(CURLE_OUT_OF_MEMORY) else {
      Issue.record("not passing")
      return
    }
    #expect(!other.isEmpty && other == other.lowercased())
  }

  @Test(arguments: [
    ("http://a/x", "http://a/y", true), ("http://a:80/", "http://a/", true), ("http://a/", "https://a/", true),
    ("http://a/", "https://a:443/", true), ("http://a/", "https://a:8443/", false),
    ("http://a:8080/", "https://a/", false),
    ("http://a:8080/", "https://a:8080/", true), ("https://a/", "https://a/", true), ("https://a/", "http://a/", false),
    ("https://a:443/", "http://a:443/", false), ("https://a:80/", "http://a:80/", false),
    ("http://a/", "http://b/", false),
    ("http://a/", "http://a.b/", false), ("http://A/", "http://a/", true), ("https://a:80/", "https://a:443/", true),
    ("http://a/", "file:///etc/passwd", false), ("http://a/", "", false), ("http://a/", "/y", false),
    ("http://a:81/", "http://a:443/", false), ("http://a/", "http://a:443/", true),
  ])
  func aRedirectionStaysWithHostAndPort(from: String, to: String, isAllowed: Bool) {
    #expect(HTTPOutcome.isAllowed(from: from, to: to) == isAllowed)
  }

  @Test func everyCodeOfABrokerIsToldInAPhraseAndPassesOrNot() {
    func failure(_ code: mosq_err_t, _ number: Int32 = 0, _ complaint: String? = nil) -> (String, BackOff.Kind) {
      let found = MQTTWords.failure(Int32(code.rawValue), errorNumber: number, complaint: complaint, host: "h")
      return (found.reason, found.kind)
    }
    #expect((1...6).map { MQTTWords.isLasting(refusal: $0) } == [true, true, false, true, true, true])
    #expect((1...6).map { MQTTWords.refusal($0).isEmpty } == [Bool](repeating: false, count: 6))
    #expect(Set((1...6).map { MQTTWords.refusal($0) }).count == 6 && MQTTWords.refusal(6).hasSuffix("code 6"))
    #expect(failure(MOSQ_ERR_EAI) == ("no such host: h", .passing))
    #expect(failure(MOSQ_ERR_ERRNO, ECONNREFUSED) == ("connection refused", .passing))
    #expect(failure(MOSQ_ERR_ERRNO, EPROTO, "x certificate verify failed").1 == .refusal)
    #expect(failure(MOSQ_ERR_KEEPALIVE) == ("the broker does not respond", .passing))
    #expect(failure(MOSQ_ERR_PROTOCOL) == ("not an MQTT broker", .refusal))
    #expect(failure(MOSQ_ERR_MALFORMED_PACKET).1 == .refusal)
    #expect(failure(MOSQ_ERR_CONN_LOST) == ("the connection was closed", .passing))
    #expect(
      failure(MOSQ_ERR_CONN_LOST, 0, "OpenSSL Error[0]: a:b:alert unknown ca") == (
        "TLS failed: alert unknown ca", .refusal
      ))
    for (complaint, reason, kind) in [
      (nil, "TLS failed", .passing),
      ("host name verification failed.", "the broker's certificate is for another name", .refusal),
      (
        "a:certificate verify failed",
        "the broker's certificate is not trusted; check the authority file, the name and the clock", .refusal
      ), ("wrong version number", "the broker does not speak TLS on this port", .refusal),
      ("packet length too long", "the broker does not speak TLS on this port", .refusal),
      ("unexpected eof while reading", "the connection was closed", .passing),
      ("a:b:words", "TLS failed: words", .passing),
      ("a:b:bad key", "TLS failed: bad key", .refusal), ("a:bad Certificate", "TLS failed: bad Certificate", .refusal),
    ] as [(String?, String, BackOff.Kind)] {
      #expect(failure(MOSQ_ERR_TLS, 0, complaint) == (reason, kind), "\(complaint ?? "")")
    }
  }

  @Test func everyTroubleOfAModemHasWordsOfItsOwn() {
    let troubles: [ModemTrouble] = [
      .refused, .unanswered, .silent, .noStart, .simFailure, .simLocked, .notRegistered, .denied, .noBearer, .noSession,
      .sessionLost, .unacknowledged, .supply,
    ]
    let words = troubles.map { $0.words(port: "/dev/x") }
    #expect(Set(words).count == troubles.count && words[2].contains("/dev/x"))
    let reasons: [UndeliveredReason] = [
      .timedOut(.denied), .timedOut(nil), .rejected(status: 404), .messageRefused(code: 38), .cancelled,
      .messageFailed(status: 65), .messageUnreported,
    ]
    #expect(
      reasons.map { $0.words(port: "p") } == [
        "no success in time: the network rejects this SIM card", "no success in time",
        "the server refused it with status 404", "the message service refused it with error 38", "cancelled",
        "the network reports that the message was not delivered: status 65",
        "the network does not report whether the message was delivered",
      ])
  }

  @Test func aSecretIsShownNowhere() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    var set = MQTTSettings()
    set.password = secret
    dump(set, to: &dumped)
    var http = HTTPSettings()
    http.password = secret
    http.headers = [("X", secret)]
    dump(http, to: &dumped)
    for text in [dumped, "\(secret)", String(describing: secret), String(reflecting: secret), "\(set)", "\(http)"] {
      #expect(!text.contains("hunter2"), "\(text)")
    }
    #expect("\(secret)" == "***" && secret.revealed == "hunter2" && Mirror(reflecting: secret).children.isEmpty)
  }

  /// Settings are the same when all of them are, and in no other case.
  @Test func settingsDifferInEachOfTheirParts() {
    let mqtt: [(inout MQTTSettings) -> Void] = [
      { $0.host = "x" }, { $0.port = 1 }, { $0.tls = TLSSettings() }, { $0.user = "x" }, { $0.password = Secret("x") },
      { $0.clientID = "x" }, { $0.topic = "x" }, { $0.isRetained = true }, { $0.commandTopic = "x" },
      { $0.will = ("x", "y") }, { $0.keepAlive = .seconds(1) }, { $0.keepsSession = false },
    ]
    for change in mqtt {
      var other = MQTTSettings()
      change(&other)
      #expect(other != MQTTSettings() && other == other)
    }
    var a = MQTTSettings()
    var b = MQTTSettings()
    a.will = ("x", "y")
    b.will = ("x", "z")
    #expect(a != b)
    let http: [(inout HTTPSettings) -> Void] = [
      { $0.url = "x" }, { $0.user = "x" }, { $0.password = Secret("x") }, { $0.headers = [("a", Secret("b"))] },
      { $0.contentType = "x" }, { $0.tls.verifiesServer = false }, { $0.timeout = .seconds(1) },
    ]
    for change in http {
      var other = HTTPSettings()
      change(&other)
      #expect(other != HTTPSettings() && other == other)
    }
    #expect(MQTTSettings().port == 1883 && MQTTSettings().keepAlive == .seconds(60) && MQTTSettings().keepsSession)
    #expect(!MQTTSettings().isRetained && MQTTSettings().tls == nil && TLSSettings().verifiesServer)
    #expect(HTTPSettings().timeout == .seconds(30) && HTTPSettings().contentType == "application/json")
    let limits = MQTTLimits()
    #expect(limits.connect == .seconds(20) && limits.acknowledgement == .seconds(20) && limits.stable == .seconds(10))
    #expect(limits.stop == .milliseconds(500))
  }

  @Test func eachFileOfACertificateIsLookedForAtTheStart() throws {
    for (place, name) in ["authority", "certificate", "key"].enumerated() {
      var settings = TLSSettings()
      switch place {
      case 0: settings.authorityFile = "/nowhere/\(name)"
      case 1: settings.certificateFile = "/nowhere/\(name)"
      default: settings.keyFile = "/nowhere/\(name)"
      }
      let failure = #expect(throws: DeviceFailure.self) { try settings.checkFiles() }
      #expect(failure?.path == "/nowhere/\(name)" && failure?.errorNumber == ENOENT)
    }
    var fine = TLSSettings()
    fine.authorityFile = "/etc/passwd"
    try fine.checkFiles()
  }

  @Test func waitsAreExactWithoutTheirJitterAndDifferBySeed() {
    var waits = BackOff(seed: 1)
    waits.unit = .milliseconds(40)
    for units in [1, 2, 4, 8, 16, 32, 60, 60] {
      let wait = waits.next(after: .passing)
      #expect(wait >= .milliseconds(40 * units) && wait < .milliseconds(50 * units))
    }
    // A refusal in a row of failures is the first of its own.
    let refusal = waits.next(after: .refusal)
    #expect(refusal >= .milliseconds(40 * 60) && refusal < .milliseconds(50 * 60))
    let first = Set(
      (0..<50).map { seed in
        var waits = BackOff(seed: UInt64(seed))
        return waits.next(after: .passing).microseconds
      })
    #expect(first.count > 45, "trackers do not come back together")
    #expect(first.max() ?? 0 > 1_200_000 && first.min() ?? 0 < 1_050_000, "up to a quarter more")
    var long = BackOff(seed: 3)
    for _ in 0..<100 { _ = long.next(after: .passing) }
    #expect(long.next(after: .passing) >= .seconds(60) && long.next(after: .passing) < .seconds(75))
  }

  /// Any sequence of what is done with a queue, against a list that is sorted each time.
  @Test func aQueueIsSortedWhateverIsDoneWithIt() {
    var random: UInt64 = 88_172_645_463_325_252
    func next(_ count: Int) -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Int(random % UInt64(count))
    }
    let kinds: [PacketKind] = [.location, .parking, .movement, .status, .ride]
    var queue = PacketQueue()
    var model: [(packet: OutgoingPacket, rank: Int)] = []
    var sequence: UInt32 = 0
    var newest = 0
    var oldest = 0
    func sorted() -> [UInt32] {
      model.sorted {
        ($0.packet.kind.priority.rawValue, -$0.rank) > ($1.packet.kind.priority.rawValue, -$1.rank)
      }.map(\.packet.sequence)
    }
    for _ in 0..<3000 {
      switch next(4) {
      case 0, 1:
        sequence += 1
        newest += 1
        let packet = OutgoingPacket(sequence: sequence, kind: kinds[next(kinds.count)], bytes: [])
        queue.append(packet)
        model.append((packet, newest))
      case 2:
        let order = sorted()
        let taken = queue.popFirst()
        #expect(taken?.sequence == order.first)
        model.removeAll { $0.packet.sequence == taken?.sequence }
        if let taken, next(2) == 0 {
          oldest -= 1
          queue.putBack(taken)
          model.append((taken, oldest))
        }
      default:
        let number = UInt32(next(Int(sequence) + 1))
        queue.remove(number, way: 0)
        model.removeAll { $0.packet.sequence == number }
      }
      let order = sorted()
      guard queue.packets.map(\.sequence) == order, queue.count == order.count, queue.isEmpty == order.isEmpty,
        queue.first?.sequence == order.first, queue.hasAlert == model.contains(where: { $0.packet.kind == .movement })
      else {
        Issue.record("\(queue.packets.map(\.sequence)) is not \(order)")
        return
      }
    }
  }
}

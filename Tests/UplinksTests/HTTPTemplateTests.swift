import Foundation
import LinuxDevices
import Quantities
import ServerSupport
import Testing
import TrackerRuntime

@testable import Uplinks

@Suite struct HTTPTemplateTests {
  private let packet = Array(
    #"{"type":"movement","trackerId":"b\"1","latitude":-33.86882,"armed":true,"utc":null,"alert":{"id":3,"detector":"tilt"}}"#
      .utf8)

  private func body(_ template: String, type: String = "application/json", _ bytes: [UInt8]? = nil) -> String {
    var settings = HTTPSettings()
    settings.contentType = type
    settings.template = HTTPTemplate(template)
    return String(decoding: settings.body(for: bytes ?? packet), as: UTF8.self)
  }

  @Test func placesHoldWhatThePacketSays() {
    for type in ["application/json", "text/plain"] {
      #expect(
        body("{type} {alert.id} {alert.detector} {latitude} {armed}", type: type) == "movement 3 tilt -33.86882 true")
    }
    #expect(
      body("[{utc}{speed}{ride}{alert.id.x}{type.x}{utcMilliseconds}]", type: "text/plain") == "[]",
      "nothing is made up")
    #expect(body("at {alert}", type: "text/plain") == #"at {"id":3,"detector":"tilt"}"#)
    #expect(body(#"{"text":"at {alert}"}"#) == #"{"text":"at {\"id\":3,\"detector\":\"tilt\"}"}"#)
  }

  /// ThingsBoard wants `{"ts":…,"values":{…}}`, others the packet in a member of their own.
  @Test func inJSONAPlaceWithoutQuotesIsAWholeValue() throws {
    #expect(body(#"{"p":{packet},"q":"{packet}"}"#).hasPrefix(#"{"p":{"type":"movement","trackerId":"b\"1","#))
    #expect(
      body(#"[{type}, {alert} ,{alert.id},{utc},{speed},{trackerId},{armed},{type.x}]"#)
        == #"["movement", {"id":3,"detector":"tilt"} ,3,null,null,"b\"1",true,null]"#)
    let timed = Array(#"{"type":"location","utc":"2026-11-21T08:15:30.123Z","speed":1.50}"#.utf8)
    #expect(
      body(#"{"ts":{utcMilliseconds},"values":{packet}}"#, timed)
        == #"{"ts":1795248930123,"values":\#(String(decoding: timed, as: UTF8.self))}"#)
    #expect(body(#"{"ts":{utcMilliseconds},"v":{speed}}"#) == #"{"ts":null,"v":null}"#)
    #expect(body("at {utcMilliseconds}", type: "text/plain", timed) == "at 1795248930123")
    #expect(
      body("{timedPacket}", timed) == #"{"ts":1795248930123,"values":\#(String(decoding: timed, as: UTF8.self))}"#)
    #expect(body("{timedPacket}") == body("{packet}"), "without a time there is none, not even null")
    // A text message is a text, with or without quotes.
    let text = Array("two\n\"lines\"".utf8)
    for template in [#"{"t":{packet}}"#, #"{"t":"{packet}"}"#] {
      #expect(body(template, text) == #"{"t":"two\n\"lines\""}"#)
    }
    // A quote that is escaped ends no text.
    #expect(body(#"{"a":"\"{type}\"","b":{type}}"#) == #"{"a":"\"movement\"","b":"movement"}"#)
    for (template, isJSON) in [
      (#"{"p":{packet}}"#, true), (#"{"p":"{packet}"}"#, true), ("{packet}", true), (#"{"p":{packet}"#, false),
      ("{type} {latitude}", false), (#"{"p":"{packet}}"#, false), (#"{"p":{packet},}"#, false),
    ] { #expect(HTTPTemplate(template).isJSON == isJSON, "\(template)") }
  }

  @Test func bracesOfJSONAreText() throws {
    let text = body(#"{"text":"{alert.detector} at {trackerId}","list":[{"a":{}}],"open":"{"}"#)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["text"] as? String == "tilt at b\"1" && object["open"] as? String == "{")
    #expect(HTTPTemplate(#"{"a":1} {packet} {x.y} { z } {"#).names == ["packet", "x.y"])
  }

  @Test func valuesAreEscapedAsTheTypeWants() {
    let text = Array("two\nlines & \"ü\"".utf8)
    #expect(body(#"{"t":"{packet}"}"#, text) == #"{"t":"two\nlines & \"ü\""}"#)
    #expect(
      body("t={packet}", type: "application/x-www-form-urlencoded", text) == "t=two%0Alines%20%26%20%22%C3%BC%22")
    #expect(body("{packet}", type: "text/plain", text) == "two\nlines & \"ü\"")
  }

  @Test func aHeaderCantBecomeTwo() {
    var settings = HTTPSettings()
    settings.headers = [("Title", Secret("{packet}!"))]
    let text = Array("a\r\nX-Evil: 1".utf8)
    #expect(settings.headers(for: text, body: []).map(\.value) == ["{packet}!"], "no template, no places")
    settings.template = HTTPTemplate("{packet}")
    #expect(settings.headers(for: text, body: []).map(\.value) == ["a X-Evil: 1!"])
  }

  @Test func aFormGoesIntoTheAddressWhereThatIsWanted() throws {
    let server = try HTTPServer()
    for (path, expected) in [("/hook", "/hook?id=b&lat=1.5"), ("/hook?k=v", "/hook?k=v&id=b&lat=1.5")] {
      var settings = HTTPSettings()
      settings.url = "http://127.0.0.1:\(server.port)\(path)"
      settings.usesAddress = true
      let uplink = HTTPUplink(settings, seed: 1)
      let loop = try EventLoop(clock: MachineClock())
      let start = MonotonicClock.now
      try uplink.start(in: loop, at: start)
      uplink.take(OutgoingPacket(sequence: 1, kind: .location, bytes: Array("id=b&lat=1.5".utf8)), at: start)
      while uplink.nextNews() == nil, MonotonicClock.now < start + .seconds(10) {
        loop.turn(until: start + .seconds(10))
      }
      uplink.stop()
      let request = try #require(server.requests.last)
      #expect(request.path == expected && request.body.isEmpty && request.method == "POST")
    }
  }

  @Test func whatIsPostedIsSigned() throws {
    let server = try HTTPServer()
    var settings = HTTPSettings()
    settings.url = "http://127.0.0.1:\(server.port)/hook"
    settings.signingKey = Secret("top secret")
    let uplink = HTTPUplink(settings, seed: 1)
    let loop = try EventLoop(clock: MachineClock())
    let start = MonotonicClock.now
    try uplink.start(in: loop, at: start)
    defer { uplink.stop() }
    for (number, text) in [#"{"a":1}"#, #"{"a":2}"#].enumerated() {
      uplink.take(
        OutgoingPacket(sequence: UInt32(number + 1), kind: .location, bytes: Array(text.utf8)), at: MonotonicClock.now)
    }
    while server.requests.count < 2, MonotonicClock.now < start + .seconds(10) {
      loop.turn(until: start + .seconds(10))
    }
    // By Python's hmac.
    #expect(
      server.requests.map { $0.headers["x-leash-signature"] } == [
        "sha256=197cf595fd7a3a98da9b2a18126e4cf12cbf3120f8211602aa1317b5c83d688d",
        "sha256=b967a535cbeb4c7c9bbfd14d1b68d02751cabbe76fee396480c0b8d2f4c76e41",
      ])
    #expect(!uplink.facts.contains { $0.value.contains("top secret") })
  }
}

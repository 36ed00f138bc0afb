import Quantities
import Testing

@testable import SIM7000

/// Small promises of the driver that show only when two things meet.
@Suite struct DriverPromiseTests {
  private func modem(isOn: Bool = true, _ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    ScriptedModem(ScriptedModem.configuration(change), isOn: isOn)
  }

  /// The network refuses a message for good that was taken back meanwhile: the one after it is another.
  @Test func theRefusalOfAMessageThatWasTakenBackIsOfNoOther() {
    let modem = modem()
    modem.payloadScript = { modem, _ in
      modem.payloads.count == 1 ? .sayLate(["+CMS ERROR: 28"], .seconds(5)) : nil
    }
    modem.submit(ticket: 1, by: .sms)
    modem.run(for: .seconds(60)) { $0.payloads.isEmpty }
    modem.run(for: .seconds(1))
    modem.handle.modem.cancel(at: modem.now)
    modem.submit("{\"b\":2}", ticket: 2, by: .sms)
    modem.deliver(within: .seconds(120))
    #expect(modem.outcomes == [.undelivered(ticket: 1, reason: .cancelled), .delivered(ticket: 2)])
    #expect(modem.payloads.last?.bytes == Array("{\"b\":2}\u{1A}".utf8))
  }

  /// Nobody fetches the actions for a while: what came meanwhile is lost and counted, and what comes next is what it is.
  @Test func aRequestThatFoundNoRoomIsNotReadInPlaceOfTheNext() {
    let handle = ScriptedModem.Handle(Modem(configuration: ScriptedModem.configuration(), seed: 1))
    func say(_ line: String, at second: Int) {
      handle.modem.receive(Array("\r\n\(line)\r\n".utf8).span, at: .seconds(second))
    }
    func fetch() -> [String] {
      var texts: [String] = []
      while let action = handle.modem.nextAction() {
        guard case .reply = action else { continue }
        var text = ByteText()
        handle.modem.drainReply(into: &text)
        texts.append(text.string)
      }
      return texts
    }
    for _ in 0..<30 { say("UNDER-VOLTAGE WARNNING", at: 1) }
    say("+CMT: \"+31611111111\",,\"26/11/22,16:00:00+04\"", at: 2)
    say("one", at: 2)
    // A text without a length ends with a pause.
    handle.modem.advance(to: .milliseconds(2900))
    #expect(fetch() == [] && handle.modem.diagnostics.actionsDropped >= 7)
    say("+CMT: \"+31611111111\",,\"26/11/22,16:00:00+04\"", at: 3)
    say("two", at: 3)
    handle.modem.advance(to: .seconds(4))
    #expect(fetch() == ["+31611111111\ntwo"])
  }

  /// Power is taken from a modem for a rest that has grown long; a packet that comes just then does not wait for its end.
  @Test func aNewPacketEndsALongRestThatHasNotBegun() {
    let modem = modem { $0.deliveryTimeout = .seconds(100_000) }
    var isDead = true
    modem.script = { _, _, _ in isDead ? .dead : nil }
    modem.submit(by: .http)
    let isGoingOff = modem.run(for: .seconds(90_000)) {
      $0.handle.modem.phase != .stopping || $0.handle.modem.restAfter < .seconds(100)
    }
    #expect(isGoingOff)
    modem.handle.modem.cancel(at: modem.now)
    isDead = false
    modem.submit(ticket: 9, by: .http)
    #expect(modem.deliver(within: .seconds(60)), "it waits for the end of the rest")
    #expect(modem.outcomes.last == .delivered(ticket: 9))
  }

  @Test func aPacketSubmittedAtATimeThatWentBackHasItsWholeTime() {
    let modem = modem { $0.deliveryTimeout = .seconds(60) }
    modem.run(for: .seconds(100))
    modem.registration = "2"
    modem.say(["+CEREG: 2"])
    let isTaken = modem.handle.modem.submit(Array("{}".utf8).span, ticket: 7, by: .http, at: .seconds(5))
    #expect(isTaken)
    modem.run(until: .milliseconds(159_990))
    #expect(modem.outcomes.isEmpty)
    modem.run(until: .seconds(160))
    #expect(modem.outcomes.count == 1)
  }

  /// Before it sleeps between packets it asks for the owner's commands.
  @Test func aModemThatSleepsBetweenPacketsListensToCommands() {
    for (idle, isListening) in [(IdlePolicy.awake, true), (.sleep, true), (.powerSaving, false), (.off, false)] {
      let modem = modem {
        $0.idle = idle
        $0.wiring.hasDTR = true
        $0.mqttCommandTopic = TopicName("leash/1/cmd") ?? $0.mqttCommandTopic
      }
      modem.run(for: .seconds(300))
      #expect((modem.count("+SMSUB") == 1) == isListening, "\(idle): \(modem.count("+SMSUB"))")
      #expect((modem.handle.modem.phase == .asleep) == (idle == .sleep), "\(idle)")
    }
  }

  private func house(_ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    modem {
      $0.mqttCommandTopic = TopicName("leash/1/cmd") ?? $0.mqttCommandTopic
      $0.mqttAvailabilityTopic = TopicName("leash/1/here") ?? $0.mqttAvailabilityTopic
      $0.mqttServerTopic = TopicName("house/status") ?? $0.mqttServerTopic
      change(&$0)
    }
  }

  /// A firmware without last wills, and a broker that lets nobody read the server's topic: the packets go all the same.
  @Test(arguments: [Play.say(["ERROR"]), .nothing])
  func withoutAWillAndAServersTopicPacketsGoAllTheSame(play: Play) {
    let modem = house()
    modem.script = { _, command, _ in
      command.hasPrefix("+SMCONF=\"TOPIC\"") || command.hasPrefix("+SMSUB=\"house") ? play : nil
    }
    modem.submit(by: .mqtt)
    #expect(modem.deliver(within: .seconds(120)))
    modem.run(for: .seconds(900))
    #expect(modem.count("+SMCONF=\"TOPIC\"") <= 2 && modem.count("+SMSUB=\"house") <= 2)
    #expect(modem.count("+SMCONN") == 1 && modem.handle.modem.phase == .running)
  }

  /// The packet is not kept waiting for what is of use later.
  @Test func theServersTopicIsSubscribedToBehindThePacketAndToldApart() throws {
    let modem = house()
    modem.submit(by: .mqtt)
    #expect(modem.deliver(within: .seconds(120)))
    modem.run(for: .seconds(60))
    let commands = modem.heard.map(\.command)
    let publish = try #require(commands.firstIndex { $0.hasPrefix("+SMPUB") })
    let listen = try #require(commands.firstIndex { $0.hasPrefix("+SMSUB=\"house/status\"") })
    #expect(publish < listen)
    for (topic, source) in [("house/status", ReplySource.server), ("house/statu", .mqtt), ("house/statuz", .mqtt)] {
      modem.say(["+SMSUB: \"\(topic)\",\"online\""])
      modem.run(for: .seconds(1))
      #expect(modem.replies.last == "online" && modem.replySources.last == source, "\(topic)")
    }
  }

  /// What a broker is to forget has no bytes; a packet has some.
  @Test func onlyWhatTheBrokerIsToForgetIsEmpty() throws {
    let modem = house()
    let topic = try #require(TopicName("house/x"))
    let kept = ModemPublication(topic: topic, isRetained: true)
    #expect(!modem.submit("", by: .mqtt) && !modem.submit("", by: .http, to: kept))
    // The prompt, and its end at once.
    modem.script = { _, command, _ in command.hasPrefix("+SMPUB=\"house/x\",0,") ? .say([">", "OK"]) : nil }
    #expect(modem.submit("", by: .mqtt, to: kept))
    modem.deliver(within: .seconds(120))
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.count("+SMPUB=\"house/x\",0,1,1") == 1)
  }

  /// Starts of other days are no part of a supply that breaks down today, and do not hide it.
  @Test func oldStartsDoNotHideAWeakSupply() {
    let modem = modem()
    modem.run(for: .seconds(100))
    for _ in 0..<3 {
      modem.restartByItself()
      modem.run(for: .seconds(7200))
    }
    #expect(modem.recoveries.isEmpty)
    for _ in 0..<3 {
      modem.restartByItself()
      modem.run(for: .seconds(20))
    }
    #expect(modem.recoveries.map(\.trouble) == [.supply])
  }

  /// A driver that finds its modem registered asks for the card later; the network is lost an hour after that.
  @Test func aLostNetworkIsWaitedForAnew() {
    let modem = modem()
    modem.run(for: .seconds(2))
    modem.say(["+CEREG: 1"])
    modem.run(for: .seconds(3600))
    #expect(modem.handle.modem.facts.registration == .yes && modem.handle.modem.facts.sim == .yes)
    modem.registration = "2"
    modem.say(["+CEREG: 2"])
    modem.submit(by: .http)
    let begun = modem.now
    modem.run(until: begun + modem.handle.modem.configuration.registrationTimeout - .seconds(1))
    #expect(modem.recoveries.isEmpty)
    modem.run(for: .seconds(5))
    #expect(modem.recoveries.map(\.trouble) == [.notRegistered])
  }
}

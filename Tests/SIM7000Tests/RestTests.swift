import Quantities
import Testing

@testable import SIM7000

/// When there is nothing to send: what the modem does, and when. And its satellite receiver.
@Suite struct RestTests {
  private func modem(isOn: Bool = true, _ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    ScriptedModem(
      ScriptedModem.configuration {
        $0.smsNumber = TelephoneNumber()
        $0.wiring.hasDTR = true
        change(&$0)
      }, isOn: isOn)
  }

  // MARK: Rest

  @Test(arguments: [IdlePolicy.sleep, .off, .powerSaving], [20, 7])
  func theModemRestsSoLongAfterTheLastPacketAndNotBefore(idle: IdlePolicy, seconds: Int) {
    let modem = modem {
      $0.idle = idle
      if seconds != 20 { $0.idleAfter = .seconds(seconds) }
    }
    for _ in 0..<2 {
      modem.submit(by: .http)
      modem.deliver(within: .seconds(60))
      let last = modem.now
      modem.run(until: last + .seconds(seconds) - .milliseconds(1))
      #expect(modem.handle.modem.phase == .running && modem.count("+CPSMSTATUS=1", since: last) == 0)
      modem.run(until: last + .seconds(seconds) + .milliseconds(200))
      switch idle {
      case .sleep:
        #expect(modem.handle.modem.phase == .asleep)
      case .off: #expect(modem.count("+CPOWD=1", since: last) == 1)
      default: #expect(modem.count("+CPSMSTATUS=1", since: last) == 1 && modem.count("+CPSMS=1", since: last) == 1)
      }
      modem.run(for: .seconds(20))
    }
    #expect(modem.recoveries.isEmpty)
  }

  @Test(arguments: [IdlePolicy.sleep, .off, .powerSaving])
  func aModemThatNothingCanWakeDoesNotRest(idle: IdlePolicy) {
    let modem = modem {
      $0.idle = idle
      $0.wiring.hasDTR = idle != .sleep
      $0.wiring.hasPowerKey = idle == .sleep
    }
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(3600))
    #expect(modem.handle.modem.phase == .running && modem.count("+CPOWD") == 0 && modem.count("+CPSMS=1") == 0)
    #expect(modem.count("+CSCLK=") == 0 && modem.times(of: .setDTR(isHigh: true)).isEmpty)
  }

  @Test func anAwakeModemStaysAwake() {
    let modem = modem()
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(7200))
    #expect(modem.handle.modem.phase == .running && modem.count("+CPOWD") == 0 && modem.count("+CPSMS=") == 0)
    #expect(modem.times(of: .setDTR(isHigh: true)).isEmpty)
  }

  @Test func reachabilityInPowerSavingModeIsAsConfigured() {
    let modem = modem {
      $0.idle = .powerSaving
      $0.periodicUpdate = .seconds(3 * 3600)
      $0.activeTime = .seconds(14)
    }
    modem.run(for: .seconds(30))
    // Eighteen times ten minutes; seven times two seconds.
    #expect(modem.commands.last == "+CPSMS=1,,,\"00010010\",\"00000111\"")
    let usual = self.modem { $0.idle = .powerSaving }
    usual.run(for: .seconds(30))
    // Twelve hours, twenty seconds.
    #expect(usual.commands.last == "+CPSMS=1,,,\"00101100\",\"00001010\"")
  }

  /// It should come back by itself after twelve hours; ten minutes later it is fetched.
  @Test func aModemInPowerSavingModeIsFetchedWhenItDoesNotComeBack() {
    for (update, isTold) in [(43_200, true), (3600, true), (3600, false)] {
      let modem = modem {
        $0.idle = .powerSaving
        if update != 43_200 { $0.periodicUpdate = .seconds(update) }
      }
      modem.run(for: .seconds(60))
      if isTold { modem.say(["+CPSMSTATUS: \"ENTER PSM\""]) }
      let begun = modem.now
      modem.setStatus(false)
      modem.run(until: begun + .seconds(update + 600) - .milliseconds(1))
      #expect(modem.handle.modem.phase == .dormant && modem.times(of: .setPowerKey(isLow: true)).isEmpty)
      modem.run(until: begun + .seconds(update + 600))
      #expect(modem.times(of: .setPowerKey(isLow: true)) == [begun + .seconds(update + 600)])
    }
  }

  /// Driven to GSM, where there is no power saving mode, it stays there while it is registered, and awake.
  @Test func aModemThatDoesNotGoIntoPowerSavingModeIsMadeToSearchAnew() {
    let modem = modem { $0.idle = .powerSaving }
    var times: [Instant] = []
    func live(minutes: Int) {
      for _ in 0..<minutes {
        modem.run(for: .seconds(60))
        if modem.count("+CFUN=0") > times.count { times.append(modem.now) }
      }
    }
    for _ in 0..<60 where modem.count("+CPSMS=1") == 0 { modem.run(for: .seconds(1)) }
    // The active time, and a hundred seconds more.
    modem.run(for: .seconds(118))
    #expect(modem.count("+CFUN=0") == 0)
    modem.run(for: .seconds(8))
    #expect(modem.count("+CFUN=0") == 1 && modem.commands.contains("+CFUN=1"), "\(modem.commands.suffix(4))")
    // Later each time, with packets in between, too.
    for _ in 0..<24 {
      modem.submit(by: .http)
      modem.deliver(within: .seconds(60))
      live(minutes: 60)
    }
    #expect((6...8).contains(times.count))
    for place in times.indices.dropFirst(2) {
      #expect(times[place] - times[place - 1] > times[place - 1] - times[place - 2], "\(times.map(\.secondsDouble))")
    }
    live(minutes: 10 * 1440)
    let day = times.count
    live(minutes: 10 * 1440)
    #expect((9...11).contains(times.count - day))
    // Let in at last, it is fetched for a packet, and begins at the beginning.
    modem.say(["+CPSMSTATUS: \"ENTER PSM\""])
    modem.setStatus(false)
    #expect(modem.handle.modem.phase == .dormant)
    modem.submit(by: .http)
    modem.deliver(within: .seconds(90))
    live(minutes: 5)
    #expect(modem.count("+CFUN=0") == times.count && times.last! > modem.now - .seconds(300))
  }

  @Test func aModemThatIsSuddenlyOffIsInPowerSavingModeOnlyIfItMayBe() {
    for (idle, hasPacket, phase) in [
      (IdlePolicy.powerSaving, false, ModemPhase.dormant), (.powerSaving, true, .resting), (.awake, false, .resting),
    ] {
      let modem = modem { $0.idle = idle }
      modem.run(for: .seconds(60))
      if hasPacket { modem.submit(by: .http) }
      modem.setStatus(false)
      #expect(modem.handle.modem.phase == phase, "\(idle) \(hasPacket)")
    }
  }

  @Test func aSleepingModemIsLookedAtEachSixHours() {
    let modem = modem { $0.idle = .sleep }
    modem.run(for: .seconds(60))
    #expect(modem.handle.modem.phase == .asleep)
    let asleep = modem.times(of: .setDTR(isHigh: true))[0]
    let commands = modem.commands.count
    modem.run(until: asleep + .seconds(21_599))
    #expect(modem.handle.modem.phase == .asleep && modem.commands.count == commands)
    modem.run(until: asleep + .seconds(21_600))
    #expect(modem.actions.last?.action == .setDTR(isHigh: false))
    modem.run(for: .seconds(30))
    #expect(modem.commands.count > commands && modem.handle.modem.phase == .asleep)
  }

  @Test func asleepItIsSpokenToSixtyMillisecondsAfterDTR() {
    let modem = modem { $0.idle = .sleep }
    modem.run(for: .seconds(60))
    modem.submit(by: .http)
    let begun = modem.now
    let commands = modem.commands.count
    modem.run(until: begun + .milliseconds(59))
    #expect(modem.commands.count == commands && modem.actions.last?.action == .setDTR(isHigh: false))
    modem.run(until: begun + .milliseconds(60))
    #expect(modem.commands.count == commands + 1)
    #expect(modem.deliver(within: .seconds(30)))
  }

  @Test(arguments: [300, 40])
  func signalAndBatteryAreLookedAtAsOftenAsConfigured(seconds: Int) {
    let modem = modem { if seconds != 300 { $0.surveyInterval = .seconds(seconds) } }
    modem.run(for: .seconds(seconds * 4 + 10))
    for command in ["+CSQ", "+CBC", "+CCLK?"] {
      let times = modem.times(command)
      #expect(times.count == 5, "\(command)")
      for (first, second) in zip(times, times.dropFirst()) {
        #expect(second - first >= .seconds(seconds) && second - first < .milliseconds(seconds * 1000 + 200))
      }
    }
    #expect(modem.handle.modem.signalStrengthDBm == -74 && modem.handle.modem.supplyMillivolts == 3900)
    #expect(modem.handle.modem.firmware.map { $0.build } == 8)
    // UTC of local time an hour east.
    #expect(modem.actions.contains { $0.action == .networkTime(UTCTime(microseconds: 1_795_359_600_000_000)) })
  }

  // MARK: Satellites

  private func receiver(_ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    modem {
      $0.gnss = true
      change(&$0)
    }
  }

  @Test func aFixIsAskedForEachSecond() {
    let modem = receiver { $0.gnssForm = .queries }
    modem.run(for: .seconds(60))
    let times = modem.times("+CGNSINF")
    #expect(abs(times.count - 58) <= 2)
    for (first, second) in zip(times, times.dropFirst()) {
      #expect(second - first >= .seconds(1) && second - first < .milliseconds(1150))
    }
    #expect(modem.times(of: .fix).count == times.count)
    #expect(modem.handle.modem.fix?.position?.latitudeE9 == 50_392_602_000)
    #expect(modem.handle.modem.fix?.time == modem.times(of: .fix).last)
  }

  @Test func reportsThatStopAreAskedForAfterTenSeconds() {
    let modem = receiver()
    modem.run(for: .seconds(3))
    #expect(modem.count("+CGNSURC=1") == 1)
    let line = modem.satellites.replacing("+CGNSINF", with: "+UGNSINF")
    for _ in 0..<60 {
      modem.run(for: .seconds(1))
      modem.say([line])
    }
    #expect(modem.count("+CGNSINF") == 0 && modem.times(of: .fix).count == 60)
    let last = modem.now
    modem.run(until: last + .milliseconds(9_990))
    #expect(modem.count("+CGNSINF") == 0)
    modem.run(until: last + .seconds(11))
    #expect(modem.count("+CGNSINF") == 1 && modem.count("+CGNSURC=1") == 2)
  }

  @Test func aReceiverWithoutPowerIsSwitchedOnAgain() {
    let modem = receiver()
    modem.run(for: .seconds(5))
    modem.satellites = "+CGNSINF: 0,,,,,,,,,,,,,,,,,,,,"
    modem.run(for: .seconds(9))
    #expect(modem.count("+CGNSPWR=1") == 2 && modem.times(of: .fix).isEmpty)
  }

  @Test func aReceiverThatWillNotIsTriedAgainAfterThirtySeconds() {
    for refused in ["+CGNSPWR=1", "+CGNSURC=1"] {
      let modem = receiver()
      modem.script = { _, command, _ in command == refused ? .say(["ERROR"]) : nil }
      modem.run(for: .seconds(200))
      let times = modem.times(refused)
      #expect(times.count == 7)
      for (first, second) in zip(times, times.dropFirst()) {
        #expect(second - first >= .seconds(30) && second - first < .milliseconds(30_200), "\(refused)")
      }
      // Data goes on meanwhile.
      modem.submit(by: .http)
      #expect(modem.deliver(within: .seconds(10)) && modem.recoveries.isEmpty)
    }
  }

  @Test func oneActionTellsManyFixesUntilItIsFetched() {
    let handle = ScriptedModem.Handle(Modem(configuration: ScriptedModem.configuration { $0.gnss = true }, seed: 1))
    func fixes() -> Int {
      var count = 0
      while let action = handle.modem.nextAction() { if action == .fix { count += 1 } }
      return count
    }
    let text = "+UGNSINF: 1,1,20171103024050.000,31.222176,121.354393,31.000,0.00,99.5,1,,0.9,1.3,0.9,,20,8,,,48,,"
    let line = Array("\r\n\(text)\r\n".utf8)
    for second in 1...5 { handle.modem.receive(line.span, at: .seconds(second)) }
    #expect(fixes() == 1)
    #expect(handle.modem.fix?.time == .seconds(5))
    handle.modem.receive(line.span, at: .seconds(6))
    #expect(fixes() == 1)
  }

  @Test func receptionAndDataTakeTurnsOfFixedLength() {
    let modem = receiver {
      $0.sharing = .alternating
      $0.deliveryTimeout = .seconds(3600)
    }
    modem.run(for: .seconds(100))
    #expect(modem.satellitesAreOn)
    modem.registration = "2"
    modem.submit(by: .http)
    let begun = modem.now
    modem.run(until: begun + .seconds(150))
    let on = modem.times("+CGNSPWR=1").filter { $0 >= begun }
    let off = modem.times("+CGNSPWR=0").filter { $0 >= begun }
    // Data begins at once, for a minute; then three quarters of a minute of reception.
    #expect(off.count == 2 && on.count == 1)
    #expect(off[0] - begun < .seconds(1))
    #expect(on[0] - off[0] >= .seconds(60) && on[0] - off[0] < .seconds(62))
    #expect(off[1] - on[0] >= .seconds(43) && off[1] - on[0] < .seconds(47))
    modem.registration = "1"
    #expect(modem.deliver(within: .seconds(10)))
    modem.run(for: .seconds(2))
    #expect(modem.satellitesAreOn)
  }

  @Test func togetherReceptionGoesOnBesideTheData() {
    let modem = receiver()
    modem.registration = "2"
    modem.submit(by: .http)
    modem.run(for: .seconds(170))
    #expect(modem.satellitesAreOn && modem.count("+CGNSPWR=0") == 0)
  }

  @Test func sentencesAreKeptUpToAKilobyteAndCounted() {
    let modem = receiver { $0.gnssForm = .sentences }
    modem.run(for: .seconds(5))
    let sentence = "$GPGSA,A," + String(repeating: "x", count: 53)
    // 64 bytes with its end: sixteen fit.
    modem.say([String](repeating: sentence, count: 16))
    #expect(modem.handle.modem.diagnostics.nmeaDropped == 0)
    modem.say([sentence])
    #expect(modem.handle.modem.diagnostics.nmeaDropped == 62)
    var text = ByteText()
    modem.handle.modem.drainNMEA(into: &text)
    #expect(text.string == String(repeating: sentence + "\r\n", count: 16))
    modem.say([sentence])
    var next = ByteText()
    modem.handle.modem.drainNMEA(into: &next)
    #expect(next.string == sentence + "\r\n")
    #expect(modem.handle.modem.diagnostics.linesUnknown == 0)
  }
}

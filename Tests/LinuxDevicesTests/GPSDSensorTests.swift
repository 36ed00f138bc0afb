import Glibc
import Quantities
import ServerSupport
import Testing

@testable import LinuxDevices

/// A sensor that is connected to a fake gpsd which has greeted it.
private func greeted(device: String? = nil) throws -> (FakeGPSD, SensorBench<GPSDSensor>) {
  let daemon = try FakeGPSD()
  let bench = try SensorBench(GPSDSensor(port: daemon.port, device: device, clock: MachineClock()))
  try bench.start()
  try #require(daemon.takeClient())
  daemon.say(FakeGPSD.greeting)
  try #require(bench.turns { bench.fact("gpsd") == "3.22" })
  return (daemon, bench)
}

@Test func aFixComesAsSoonAsGPSDSaysIt() throws {
  let (daemon, bench) = try greeted()
  #expect(daemon.heard().hasPrefix(#"?WATCH={"enable":true,"json":true"#))
  let before = MonotonicClock.now
  daemon.say(FakeGPSD.position(1))
  #expect(bench.turns { bench.fixes.count == 1 })
  let fix = try #require(bench.fixes.first)
  #expect(fix.time >= before && fix.time <= MonotonicClock.now)
  #expect(fix.position == GeodeticPosition(latitudeE9: 48_000_000_000, longitudeE9: 11_000_001_000))
  #expect(bench.fact("listens to") == "/dev/a")
  #expect(bench.fact("last fix") == "0 s ago")
  #expect(bench.source.name == "gnss gpsd at 127.0.0.1:\(daemon.port)")
}

@Test func linesCutAnywhereGiveTheSameFixes() throws {
  let (daemon, bench) = try greeted()
  let text = Array((1...5).map { FakeGPSD.position($0) }.joined().utf8)
  for start in stride(from: 0, to: text.count, by: 37) {
    daemon.say(String(decoding: text[start..<min(text.count, start + 37)], as: UTF8.self))
    bench.loop.turn(until: MonotonicClock.now)
  }
  #expect(bench.turns { bench.fixes.count == 5 })
  #expect(bench.fact("unreadable lines") == nil)
}

@Test func garbageBetweenTheLinesIsCountedAndPassedOver() throws {
  let (daemon, bench) = try greeted()
  daemon.say("\u{1}\u{2}ÿ{}{{[\n{\"class\":\"TPV\",\"mode\":\n{\"class\":\"DEVICES\",\"devices\":[{\"class\":3}\n")
  daemon.say(String(repeating: "x", count: 100_000) + "\n" + FakeGPSD.position(1))
  #expect(bench.turns { bench.fixes.count == 1 })
  #expect(bench.source.failure == nil)
  #expect(bench.fact("unreadable lines") == "4")
}

@Test func anEndOfGPSDIsAFailureAndTheNextStartWorks() throws {
  let (daemon, bench) = try greeted()
  daemon.say(FakeGPSD.position(1))
  daemon.hangUp()
  #expect(bench.turns { bench.source.failure != nil })
  #expect(bench.fixes.count == 1, "what it said before is not lost")
  let place = "gpsd at 127.0.0.1:\(daemon.port)"
  #expect(bench.source.failure?.message == "\(place): closed the connection; it has ended or was restarted")
  #expect(bench.loop.nextDeadline == nil, "it has left the loop")
  try bench.start()
  #expect(bench.source.failure == nil)
  try #require(daemon.takeClient())
  daemon.say(FakeGPSD.greeting + FakeGPSD.position(2))
  #expect(bench.turns { bench.fixes.count == 2 })
}

@Test func withoutGPSDThereIsOneClearLine() throws {
  let port = try LoopbackSocket.freePort()
  let bench = try SensorBench(GPSDSensor(port: port, clock: MachineClock()))
  try bench.start()
  #expect(bench.turns { bench.source.failure != nil })
  #expect(
    bench.source.failure?.message
      == "gpsd at 127.0.0.1:\(port): nothing listens there; start gpsd with 'sudo systemctl start gpsd.socket'")
}

@Test func aHostThatDoesNotExistIsNamed() throws {
  let bench = try SensorBench(GPSDSensor(host: "no-such-host.invalid", clock: MachineClock()))
  try bench.start()
  // A resolver may be slow, or not there at all; the loop does not wait for it.
  let limit = MonotonicClock.now + .seconds(11)
  while bench.source.failure == nil && MonotonicClock.now < limit { bench.loop.turn(until: limit) }
  let message = bench.source.failure?.message ?? ""
  #expect(message.hasPrefix("gpsd at no-such-host.invalid:2947: no "), "\(message)")
}

@Test func startingDoesNotWaitForAnybody() throws {
  // A listener whose queue is full answers no connection.
  let (listener, port) = try LoopbackSocket.listen()
  defer { close(listener) }
  let bench = try SensorBench(GPSDSensor(port: port, clock: MachineClock()))
  let before = MonotonicClock.now
  try bench.start()
  bench.source.stop()
  #expect(MonotonicClock.now - before < .milliseconds(500))
  #expect(bench.loop.nextDeadline == nil)
}

@Test func aServerThatSaysNothingIsGivenUp() throws {
  let daemon = try FakeGPSD()
  let bench = try SensorBench(GPSDSensor(port: daemon.port, clock: MachineClock()))
  try bench.start()
  try #require(daemon.takeClient())
  // The deadline of the connection is later than that of the greeting.
  #expect(bench.turns { bench.source.nextDeadline.map { $0 - MonotonicClock.now < .seconds(6) } == true })
  let deadline = try #require(bench.source.nextDeadline)
  bench.source.advance(to: deadline - .milliseconds(1))
  #expect(bench.source.failure == nil)
  bench.source.advance(to: deadline)
  #expect(
    bench.source.failure?.message
      == "gpsd at 127.0.0.1:\(daemon.port): accepts connections but sends nothing; is it gpsd?")
}

@Test func aReceiverThatFallsSilentIsAFailureAfterFifteenSeconds() throws {
  let (daemon, bench) = try greeted()
  daemon.say(FakeGPSD.position(1))
  #expect(bench.turns { bench.fixes.count == 1 })
  let deadline = try #require(bench.source.nextDeadline)
  #expect(deadline == bench.fixes[0].time + .seconds(15))
  bench.source.advance(to: deadline)
  #expect(
    bench.source.failure?.message.hasSuffix("its receiver /dev/a sends nothing; check wiring and speed") == true
  )
}

@Test func aGPSDWithoutReceiverSaysSoAndOneThatComesLaterIsHeard() throws {
  let daemon = try FakeGPSD()
  let bench = try SensorBench(GPSDSensor(port: daemon.port, clock: MachineClock()))
  try bench.start()
  try #require(daemon.takeClient())
  daemon.say(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n")
  daemon.say(#"{"class":"DEVICES","devices":[]}"# + "\n")
  #expect(bench.turns { bench.fact("receivers")?.hasPrefix("none; add one with") == true })
  daemon.say(
    #"{"class":"DEVICE","path":"/dev/late","driver":"NMEA0183","activated":"2026-11-21T12:00:00.000Z"}"# + "\n")
  daemon.say(FakeGPSD.position(3, from: "/dev/late"))
  #expect(bench.turns { bench.fixes.count == 1 })
  #expect(bench.fact("receivers") == "/dev/late (NMEA0183)")
}

@Test func aRefusalOfGPSDIsShown() throws {
  let (daemon, bench) = try greeted()
  daemon.say(#"{"class":"ERROR","message":"Unrecognized request 'x'"}"# + "\n")
  #expect(bench.turns { bench.fact("gpsd refused") == "Unrecognized request 'x'" })
  #expect(bench.source.failure == nil)
}

@Test func ofTwoReceiversOneIsHeard() throws {
  let (daemon, bench) = try greeted()
  for second in 1...5 {
    daemon.say(FakeGPSD.position(second) + FakeGPSD.position(second + 20, from: "/dev/b"))
  }
  #expect(bench.turns { bench.fact("receivers") == "/dev/a, /dev/b" && bench.fixes.count == 5 })
  let longitudes: [Int64] = bench.fixes.compactMap { $0.position?.longitudeE9 }
  let expected: [Int64] = (1...5).map { (second: Int64) -> Int64 in 11_000_000_000 + second * 1000 }
  #expect(longitudes == expected)
}

@Test func theSinkMayStopTheSource() throws {
  let (daemon, bench) = try greeted()
  var count = 0
  bench.source.sink = { [weak source = bench.source] _ in
    count += 1
    source?.stop()
  }
  daemon.say((1...5).map { FakeGPSD.position($0) }.joined())
  #expect(bench.turns { count > 0 })
  bench.loop.turn(until: MonotonicClock.now)
  #expect(count == 1)
  #expect(bench.source.failure == nil)
}

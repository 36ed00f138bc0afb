import Delivery
import Quantities
import TrackerRuntime
import Telemetry
import Testing

@testable import Uplinks

@Test func waitsGrowToALimitWithJitter() {
  var backOff = BackOff(seed: 7)
  for seconds in [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60] {
    let wait = backOff.next(after: .passing)
    #expect(wait >= .seconds(seconds) && wait < .milliseconds(seconds * 1250))
  }
  backOff.reset()
  for seconds in [60, 120, 240, 480, 900, 900] {
    let wait = backOff.next(after: .refusal)
    #expect(wait >= .seconds(seconds) && wait < .milliseconds(seconds * 1250))
  }
  // What passes by itself makes no refusal last longer, and the other way round.
  var mixed = BackOff(seed: 7)
  for _ in 0..<5 { _ = mixed.next(after: .passing) }
  #expect(mixed.next(after: .refusal) < .milliseconds(75_000))
  #expect(mixed.next(after: .refusal) >= .seconds(120))
  #expect(mixed.next(after: .passing) >= .seconds(32))
  mixed.reset()
  #expect(mixed.next(after: .passing) < .milliseconds(1250) && mixed.next(after: .refusal) < .milliseconds(75_000))
  var other = BackOff(seed: 8)
  var same = BackOff(seed: 7)
  var first = BackOff(seed: 7)
  #expect(other.next(after: .passing) != first.next(after: .passing))
  #expect(
    same.next(after: .passing)
      == {
        var again = BackOff(seed: 7); return again.next(after: .passing)
      }())
}

@Test func alertsStandBeforeNoticesAndReportsAndEqualsKeepTheirOrder() {
  var queue = PacketQueue()
  let kinds: [PacketKind] = [.location, .parking, .movement, .ride, .movement, .status]
  for (place, kind) in kinds.enumerated() {
    queue.append(OutgoingPacket(sequence: UInt32(place), kind: kind, bytes: []))
  }
  #expect(queue.packets.map(\.sequence) == [2, 4, 1, 5, 0, 3])
  let first = queue.popFirst()
  #expect(first?.sequence == 2)
  if let first { queue.putBack(first) }
  #expect(queue.packets.map(\.sequence) == [2, 4, 1, 5, 0, 3])
  queue.remove(4, way: 1)
  queue.remove(1, way: 0)
  #expect(queue.packets.map(\.sequence) == [2, 4, 5, 0, 3])
  func packet(_ way: Int) -> OutgoingPacket { OutgoingPacket(sequence: 2, kind: .movement, bytes: [], way: way) }
  #expect(queue.contains(packet(0)) && !queue.contains(packet(1)) && queue.count == 5)
}

@Test func aPacketThatYieldsGoesBehindItsEqualsOnOtherChannelsAndBeforeThoseOnItsOwn() {
  var queue = PacketQueue()
  let packets: [(PacketKind, UInt8)] = [(.movement, 0), (.movement, 1), (.movement, 0), (.location, 1), (.location, 2)]
  for (place, (kind, channel)) in packets.enumerated() {
    queue.append(OutgoingPacket(sequence: UInt32(place), kind: kind, bytes: [], channel: channel))
  }
  #expect(queue.first(notOn: 0)?.sequence == 1 && queue.first(notOn: 1)?.sequence == 0)
  if let first = queue.popFirst() { queue.yield(first) }
  #expect(queue.packets.map(\.sequence) == [1, 0, 2, 3, 4])
  queue.remove(3, way: 0)
  queue.yield(OutgoingPacket(sequence: 3, kind: .location, bytes: [], channel: 1))
  #expect(queue.packets.map(\.sequence) == [1, 0, 2, 4, 3])
}

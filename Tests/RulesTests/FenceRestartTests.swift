import InlineStorage
import Positioning
import Quantities
import Rules
import Testing

/// A restart loses no fence and no alarm.
@Suite struct FenceRestartTests {
  /// A guard that goes on with the bytes and the state of another.
  private func restarted(_ garden: Garden) throws -> Garden {
    let next = try Garden()
    for row in 0..<4 {
      var bytes = InlineBytes<272>()
      garden.guardian.fences.encode(row, into: &bytes)
      guard !bytes.isEmpty else { continue }
      let error = next.guardian.restoreFence(bytes.span, row: row)
      #expect(error == nil)
      var again = InlineBytes<272>()
      if let row = next.guardian.fences.row(of: bytes[0]) { next.guardian.fences.encode(row, into: &again) }
      #expect(again == bytes)
    }
    next.guardian.restore(garden.guardian.kept, at: next.now)
    return next
  }

  @Test func anAlarmGoesOnWhereItWasAndCountsOn() throws {
    let garden = try Garden()
    garden.circle()
    garden.polygon(7, name: "Wiese", [(0, 100), (50, 100), (50, 150), (0, 150), (-20, 120)])
    garden.activate(1)
    garden.stay(0, seconds: 90)
    garden.walk(from: 0, to: 300)
    garden.stay(300, seconds: 130)
    let told = garden.alerts.count
    let next = try restarted(garden)
    #expect(next.fences == 2 && next.state == .alerting)
    next.fix(300)
    #expect(next.alerts.map(\.kind) == [.alert(repetition: UInt16(told))], "told at once, and counted on")
    next.walk(from: 300, to: 0)
    next.stay(0, seconds: 90)
    #expect(next.ends == [.entered])
    // One that was found stays found.
    garden.found()
    let last = try restarted(garden)
    last.stay(300, seconds: 300)
    #expect(last.state == .suppressed && last.alerts.isEmpty)
  }

  @Test func anExitDuringTheRestartIsTold() throws {
    let garden = try Garden()
    garden.circle()
    garden.activate(1)
    garden.stay(0, seconds: 90)
    let next = try restarted(garden)
    next.stay(300, seconds: 70)
    #expect(next.alerts.count == 1)
  }

  @Test func aStateWithoutItsFencesIsNone() throws {
    let garden = try Garden()
    garden.guardian.restore(
      KeptFenceAlarm(state: .alerting, repetition: 5, presence: .outside, isEnabled: true), at: .zero)
    #expect(garden.state == .unassigned && garden.guardian.nextDeadline == nil)
  }

  @Test func damagedBytesAreNoFence() throws {
    let garden = try Garden()
    garden.polygon(7, name: "Wiese", [(0, 100), (50, 100), (50, 150), (0, 150), (-20, 120)])
    var bytes = InlineBytes<272>()
    garden.guardian.fences.encode(0, into: &bytes)
    #expect(bytes.count == 3 + 8 + 1 + 5 + 1 + 2 + 50)
    let whole = (0..<bytes.count).map { bytes[$0] }
    for count in 0..<whole.count {
      let next = try Garden()
      let error = next.guardian.restoreFence(Array(whole[..<count]).span, row: 0)
      #expect(error != nil && next.fences == 0, "\(count) bytes")
    }
    let longer = try Garden()
    let error = longer.guardian.restoreFence((whole + [0]).span, row: 0)
    #expect(error == .unreadable)
  }
}

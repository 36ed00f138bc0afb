import MotionEvaluation
import Quantities
import Testing
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

/// A power cut in the middle of a write: what is there afterwards is what was kept, or what was being kept.
@Suite struct TornWriteTests {
  private static func content(
    _ sections: [UInt8: [UInt8]], _ packets: [UInt32: [UInt8]] = [:], spool: [UInt32] = []
  ) -> LifeStore.Content {
    var result = LifeStore.Content()
    result.sections = sections
    result.packets = packets
    for number in spool {
      let section = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100)
      _ = result.spool.put(SpooledPacket(sequence: number, pending: 3, isThinnable: number % 2 == 0, section: section))
    }
    return result
  }

  private static func bytes(_ count: Int, _ start: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: start + 7 * $0) }
  }

  @Test(arguments: [false, true]) func aChangeIsWholeOrNotThereWhereverThePowerGoes(_ isShuffled: Bool) {
    let before = TornWriteTests.content(
      [1: TornWriteTests.bytes(40, 1), 3: TornWriteTests.bytes(900, 2), 6: TornWriteTests.bytes(20, 3)],
      [4: TornWriteTests.bytes(150, 4)], spool: [1, 2])
    let after = TornWriteTests.content(
      [1: TornWriteTests.bytes(44, 5), 3: TornWriteTests.bytes(300, 6), 6: TornWriteTests.bytes(24, 7)],
      [5: TornWriteTests.bytes(160, 8)], spool: [2, 4])
    var whole = 0
    for seed in 0..<300 as Range<UInt64> {
      let medium = LifeMedium(seed: seed)
      #expect(medium.write(before))
      medium.tear(after, isShuffled: isShuffled)
      let found = medium.mount()
      #expect(found == before || found == after, "seed \(seed)")
      if found == after { whole += 1 }
      // What is written next counts, whatever the cut has left.
      #expect(medium.write(after) && medium.mount() == after, "seed \(seed)")
    }
    // Both happen: the power goes in the change, and behind it.
    #expect((10...290).contains(whole), "\(whole)")
  }

  @Test func whatIsKeptForLongComesBackThroughManyBlocks() {
    let medium = LifeMedium(seed: 9)
    var content = LifeStore.Content()
    for number in 0..<6000 as Range<UInt32> {
      content.sections[UInt8(number % 5) + 1] = TornWriteTests.bytes(100 + Int(number % 400), Int(number))
      content.packets = [number: TornWriteTests.bytes(150, Int(number))]
      #expect(medium.write(content))
      if number % 500 == 499 {
        medium.tear(content, isShuffled: number % 1000 == 999)
        #expect(medium.mount() == content, "\(number)")
      }
    }
    #expect(medium.failureCount == 0)
  }

  @Test func aStateThatIsNeitherIsTold() {
    let kept = TornWriteTests.content([1: [1], 3: [3]], [7: [7]])
    let torn = TornWriteTests.content([1: [2], 3: [4]], [7: [7], 8: [8]])
    #expect(LifeStore.difference(of: kept, from: kept, orElse: nil) == nil)
    #expect(LifeStore.difference(of: kept, from: kept, orElse: torn) == nil)
    #expect(LifeStore.difference(of: torn, from: kept, orElse: torn) == nil)
    #expect(LifeStore.difference(of: torn, from: kept, orElse: nil) != nil)
    let mixed = TornWriteTests.content([1: [2], 3: [3]], [7: [7]])
    #expect(
      LifeStore.difference(of: mixed, from: kept, orElse: torn)
        == "sections [1] and packets [] are not as they were kept, nor as the change that was cut off has them")
    let lost = TornWriteTests.content([1: [1], 3: [3]])
    #expect(LifeStore.difference(of: lost, from: kept, orElse: torn)?.contains("packets [7]") == true)
    var spooled = kept
    _ = spooled.spool.put(SpooledPacket(sequence: 9, pending: 1, isThinnable: true, section: [9]))
    #expect(LifeStore.difference(of: spooled, from: kept, orElse: nil) != nil)
  }

  /// The power goes at each change of the state about an alert, and in the middle of it; nothing that was told is lost.
  @Test(arguments: [StoreLoss.torn, .shuffled], 1...6 as ClosedRange<UInt64>)
  func aTornChangeAboutAnAlertLosesNothing(_ loss: StoreLoss, _ seed: UInt64) throws {
    let scene = LifeTests.theft()
    for changes in [nil, 0, 1, 2, 3] as [Int?] {
      let cut = PowerCut(off: .seconds(20), loss: loss, changesBefore: changes, takesModem: seed % 2 == 0)
      let plan = LifePlan([LifeEvent(.power(cut), at: .seconds(701))])
      let report = try LifeRun(LifeScenario(scene, plan: plan, transport: .http, seed: seed)).live()
      #expect(report.broken == [], "\(String(describing: changes))")
      #expect(report.lives == 2 && report.checks[.stateIsKept] ?? 0 >= 2)
    }
  }
}

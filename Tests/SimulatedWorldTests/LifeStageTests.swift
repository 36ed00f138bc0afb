import FaultInjection
import Foundation
import Quantities
import Testing
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

/// A life to look at: going on, going back, and what is dropped in by hand.
@Suite struct LifeStageTests {
  private static func stage(_ plan: LifePlan = LifePlan()) throws -> LifeStage {
    try LifeStage(LifeScenario(LifeTests.theft(), plan: plan, transport: .http, seed: 3))
  }

  private static func kinds(_ stage: LifeStage) -> [StageEntry.Kind] { stage.entries.map(\.kind) }

  @Test func itGoesOnInPiecesAsInOne() throws {
    let (whole, pieces) = (try LifeStageTests.stage(), try LifeStageTests.stage())
    #expect(try whole.live(to: .seconds(720)))
    var calls = 0
    while try !pieces.live(to: .seconds(720), steps: 1000) { calls += 1 }
    #expect(calls > 5 && pieces.entries == whole.entries && pieces.places == whole.places)
    #expect(whole.now >= .seconds(720) && whole.now < .seconds(721) && !whole.isOver)
    let told = whole.entries.map { String(decoding: $0.json, as: UTF8.self) }
    #expect(told.contains("\"lift\"") && told.contains { $0.contains("\"type\":\"movement\"") })
    #expect(LifeStageTests.kinds(whole).contains(.received) && whole.deedName == "carry")
    #expect(try whole.live(to: whole.end + Interval.seconds(1)) && whole.isOver)
    #expect(whole.entries.map(\.number) == Array(1...whole.entries.count))
  }

  @Test func theNextEventIsTheNextEntry() throws {
    let stage = try LifeStageTests.stage()
    #expect(try stage.live(to: .seconds(400)))
    let before = stage.entries.count
    #expect(try stage.liveToNext() && stage.entries.count > before)
    #expect(stage.entries[before].kind == .deed && stage.now >= .seconds(700) && stage.now < .seconds(701))
    #expect(try !stage.liveToNext(steps: 1) || stage.entries.count > before + 1)
  }

  @Test func whatIsSeenOnceMoreIsTheSame() throws {
    let stage = try LifeStageTests.stage(LifePlan([LifeEvent(.text("ping", .owner), at: .seconds(300))]))
    #expect(try stage.live(to: .seconds(760)))
    let (entries, places, generation) = (stage.entries, stage.places, stage.generation)
    try stage.rewind()
    #expect(stage.now == .zero && stage.entries.isEmpty && stage.generation == generation + 1)
    #expect(try stage.live(to: .seconds(760)) && stage.entries == entries && stage.places == places)
  }

  @Test func aFaultThatIsDroppedInStrikesNowAndEachTimeAgain() throws {
    let stage = try LifeStageTests.stage()
    #expect(try stage.live(to: .seconds(500)))
    let before = stage.entries
    let cut = try #require(LifeStage.choices.first)
    #expect(stage.drop(cut.fault))
    #expect(try stage.live(to: .seconds(530)))
    let after = Array(stage.entries.dropFirst(before.count))
    #expect(stage.entries.starts(with: before) && after.first?.kind == .fault)
    #expect(after.filter { $0.kind == .power }.map { String(decoding: $0.json, as: UTF8.self) } == ["false", "true"])
    let all = stage.entries
    try stage.rewind()
    #expect(try stage.live(to: .seconds(530)) && stage.entries == all)
    #expect(try stage.live(to: stage.end + .seconds(1)) && stage.broken == [] && stage.isOver)
    #expect(!stage.drop(cut.fault))
  }

  @Test(arguments: StageThief.allCases) func aThiefComesNowAndWhatWasBeforeStaysAsItWas(_ thief: StageThief) throws {
    let stage = try LifeStageTests.stage()
    #expect(try stage.live(to: .seconds(500)))
    let (before, now, end) = (stage.entries, stage.now, stage.end)
    #expect(try stage.send(thief) && stage.now == .zero)
    #expect(try stage.live(to: now) && stage.entries.starts(with: before))
    #expect(try stage.live(to: stage.end + .seconds(1)))
    #expect(stage.broken == [] && stage.end >= end)
    let told = stage.entries.filter { $0.time > now && $0.time < now + .seconds(60) }
    let isTold = told.contains { String(decoding: $0.json, as: UTF8.self).contains("\"type\":\"movement\"") }
    if thief != .slides { #expect(isTold) }
  }

  @Test func aThiefWaitsUntilTheVehicleStands() throws {
    let stage = try LifeStageTests.stage()
    #expect(try stage.live(to: .seconds(705)) && stage.deedName == "carry")
    let (generation, now) = (stage.generation, stage.now)
    #expect(try !stage.send(.carries) && stage.generation == generation && stage.now == now)
  }

  private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test func aPageIsToldWhatItDoesNotHave() throws {
    let stage = try LifeStageTests.stage()
    #expect(try stage.live(to: .seconds(710)))
    let all = try LifeStageTests.object(stage.json(after: 0, places: 0, of: 0, playing: 60, goal: nil))
    #expect(
      (all["entries"] as? [Any])?.count == stage.entries.count && (all["places"] as? [Any])?.count == stage.places.count
    )
    #expect((all["timeline"] as? [Any])?.count == 3 && (all["faults"] as? [String])?.count == LifeStage.choices.count)
    #expect(all["speed"] as? Double == 60 && all["goal"] is NSNull && all["deed"] as? String == "carry")
    let tracker = try #require(all["tracker"] as? [String: Any])
    #expect(tracker["phase"] as? String == "alarmed" && tracker["alert"] as? Int ?? 0 > 0)
    let (truth, fix) = (all["truth"] as? [Double], tracker["fix"] as? [Double])
    #expect(truth != nil && fix != nil && zip(truth ?? [], fix ?? []).allSatisfy { ($0 - $1).magnitude < 0.001 })
    let last = try #require(stage.entries.last?.number)
    let rest = try LifeStageTests.object(
      stage.json(after: last - 2, places: stage.places.count, of: stage.generation, playing: 0, goal: .seconds(9)))
    #expect((rest["entries"] as? [[Any]])?.map { $0[0] as? Int } == [last - 1, last])
    #expect((rest["places"] as? [Any])?.isEmpty == true && rest["timeline"] == nil && rest["goal"] as? Double == 9)
    // Another generation is told all.
    try stage.rewind()
    let fresh = try LifeStageTests.object(
      stage.json(after: last, places: 9, of: stage.generation - 1, playing: 0, goal: nil))
    #expect((fresh["entries"] as? [Any])?.isEmpty == true && fresh["timeline"] != nil)
  }

  /// Names are what a page sends: each is another.
  @Test func eachChoiceHasANameOfItsOwn() {
    #expect(Set(LifeStage.choices.map(\.name)).count == LifeStage.choices.count && LifeStage.choices.count > 30)
  }
}

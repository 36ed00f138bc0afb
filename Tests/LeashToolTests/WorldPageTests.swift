import Foundation
import LinuxDevices
import Quantities
import StatusPage
import Testing

@testable import LeashTool
@testable import SimulatedWorld

/// `leash simulate --page`: what the page asks, and what it is told.
@Suite struct WorldPageTests {
  private static func page() throws -> (page: WorldPage, loop: EventLoop) {
    let loop = try EventLoop(clock: MachineClock())
    let stage = try LifeStage(LifeScenario.day(seed: 5, classes: []))
    return (WorldPage(stage, in: loop), loop)
  }

  private static func told(_ page: WorldPage, after: String = "") throws -> [String: Any] {
    let world = try #require(page.content.world)
    return try #require(try JSONSerialization.jsonObject(with: Data(world(after))) as? [String: Any])
  }

  /// Lets it go on until it has nothing to do at once.
  private static func settle(_ page: WorldPage, _ loop: EventLoop) {
    while page.nextDeadline != nil { page.advance(to: loop.clock.now) }
  }

  @Test func itGoesWhereItIsAskedToAndBack() throws {
    let (page, loop) = try WorldPageTests.page()
    #expect(page.nextDeadline == nil && page.obey("to 400") == .obeyed(nil) && page.nextDeadline != nil)
    WorldPageTests.settle(page, loop)
    let there = try WorldPageTests.told(page)
    #expect((there["now"] as? Double).map { 400...401 ~= $0 } == true && there["goal"] is NSNull)
    #expect(page.obey("step") == .obeyed(nil))
    WorldPageTests.settle(page, loop)
    let next = try WorldPageTests.told(page)
    #expect((next["entries"] as? [Any])?.count ?? 0 > (there["entries"] as? [Any])?.count ?? 0)
    #expect(page.obey("to 300.5") == .obeyed(nil))
    WorldPageTests.settle(page, loop)
    let back = try WorldPageTests.told(page)
    #expect((back["now"] as? Double).map { 300.5...301.5 ~= $0 } == true)
    #expect(back["generation"] as? Int == (there["generation"] as? Int ?? 0) + 1)
  }

  @Test func itGoesOnAsFastAsItIsAskedToUntilItIsHeld() throws {
    let (page, loop) = try WorldPageTests.page()
    #expect(page.obey("play 600") == .obeyed(nil) && page.speed == 600)
    // Later by half a second: 300 s of the life.
    page.advance(to: loop.clock.now + .milliseconds(500))
    let now = try WorldPageTests.told(page)["now"] as? Double ?? 0
    #expect(now > 0 && now < 320)
    #expect(page.obey("hold") == .obeyed(nil) && page.nextDeadline == nil)
  }

  @Test func whatIsDroppedInHappensAndWhatIsUnknownIsRefused() throws {
    let (page, loop) = try WorldPageTests.page()
    _ = page.obey("to 400")
    WorldPageTests.settle(page, loop)
    #expect(page.obey("fault no server for 60 s") == .obeyed(nil))
    #expect(page.obey("thief knocks") == .obeyed(nil) && page.goal != nil)
    WorldPageTests.settle(page, loop)
    _ = page.obey("to 420")
    WorldPageTests.settle(page, loop)
    let told = try WorldPageTests.told(page)
    let kinds = (told["entries"] as? [[Any]])?.compactMap { $0[2] as? String } ?? []
    #expect(kinds.contains("fault") && (told["tracker"] as? [String: Any])?["phase"] as? String == "alarmed")
    for text in [
      "", "play", "play 0", "play 1e9", "play nan", "to", "to -1", "to inf", "fault", "fault x", "thief", "thief x",
      "quit",
    ] {
      #expect(page.obey(text) == .refused("unknown"), "\(text)")
    }
    // While it falls nobody can come.
    _ = page.obey("to 401")
    WorldPageTests.settle(page, loop)
    #expect(page.obey("thief carries") == .refused("busy"))
  }

  @Test func aPageThatHasAllIsToldNothingTwice() throws {
    let (page, loop) = try WorldPageTests.page()
    _ = page.obey("to 310")
    WorldPageTests.settle(page, loop)
    let all = try WorldPageTests.told(page, after: "nonsense")
    let entries = try #require(all["entries"] as? [[Any]])
    let places = try #require(all["places"] as? [[Any]])
    let (generation, entry, place) = (
      all["generation"] as? Int ?? 0, entries.last?[0] as? Int ?? 0, places.last?[0] as? Int ?? 0
    )
    let rest = try WorldPageTests.told(page, after: "\(generation).\(entry).\(place)")
    #expect((rest["entries"] as? [Any])?.isEmpty == true && (rest["places"] as? [Any])?.isEmpty == true)
  }

  @Test(arguments: [
    (["--page", "nowhere"], "option '--page': 'nowhere' is not an address such as 127.0.0.1:8600"),
    (["--page", "127.0.0.1:0", "--runs", "2"], "'--page' is for a single run"),
    (["--page", "127.0.0.1:0", "--explore", "--minutes", "1"], "'--page' is for a single run"),
  ]) func aWrongOptionIsToldInALine(_ arguments: [String], _ message: String) {
    let run = ToolRun(["simulate"] + arguments)
    #expect(run.code == .usage && run.err == "leash simulate: \(message)\n", "\(run.err)")
  }
}

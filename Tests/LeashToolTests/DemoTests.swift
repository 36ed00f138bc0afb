import Foundation
import Testing

@testable import LeashTool

/// The story of the demo, as a newcomer would check it.
@Suite struct DemoTests {
  private static let run = ToolRun(
    "replay", "--json", Places.ardennes, "--simulate-inertial", "--simulate-scene", "thief")

  private func first(_ type: String, _ objects: [[String: Any]], where matches: ([String: Any]) -> Bool = { _ in true })
    -> [String: Any]?
  {
    objects.first { ($0["type"] as? String == type || $0["event"] as? String == type) && matches($0) }
  }

  @Test func theBikeIsArmedThreeHundredSecondsAfterItsLastMotion() throws {
    let objects = try DemoTests.run.objects()
    let parked = try #require(first("parked", objects))
    let armed = try #require(first("armed", objects))
    let last = try #require(parked["lastMotion"] as? Double)
    #expect(abs((armed["uptime"] as? Double ?? 0) - last - 300) < 0.0005)
    let parking = try #require(first("parking", objects))
    #expect(parking["accuracy"] != nil || parking["latitude"] is Double)
    #expect((parking["fixAge"] as? Double ?? 99) < 5)
  }

  @Test func theRideIsDatedBackAndAsLongAsTheBikeComputerSays() throws {
    let ride = try #require(first("ride", try DemoTests.run.objects())?["ride"] as? [String: Any])
    // The device's own distance is 57,567 m.
    let distance = try #require(ride["distance"] as? Int)
    #expect(abs(Double(distance) - 57_567) < 0.01 * 57_567)
    #expect((ride["start"] as? String)?.hasPrefix("2019-09-20T14:10:0") == true)
    #expect((ride["end"] as? String)?.hasPrefix("2019-09-20T16:25:0") == true)
  }

  @Test func theKnockIsNoAlarmAndTheThiefIsNoticedWithinFiveSeconds() throws {
    let objects = try DemoTests.run.objects()
    // The script's times are on the timeline: a knock at 8776 s, and the thief from 8956 s on.
    let alerts = objects.filter { $0["type"] as? String == "movement" }
    let firstAlert = try #require(alerts.first?["uptime"] as? Double)
    #expect(firstAlert > 8956 && firstAlert < 8961)
    let suspicion = try #require(first("suspicious", objects)?["uptime"] as? Double)
    #expect(suspicion > 8775.9 && suspicion < 8777)
    let detectors = alerts.compactMap { ($0["alert"] as? [String: Any])?["detector"] as? String }
    // What nobody answers is told again.
    #expect(Array(detectors.prefix(3)) == ["handling", "tilt", "speed"])
    let repeated = alerts.dropFirst(3).compactMap { ($0["alert"] as? [String: Any])?["repetition"] as? Int }
    #expect(repeated == Array(1...2))
    #expect(alerts.allSatisfy { (($0["alert"] as? [String: Any])?["ratio"] as? Double ?? 0) >= 1 })
  }

  @Test func everyPacketIsNumberedOnceAndHasSevenDecimals() throws {
    let objects = try DemoTests.run.objects()
    let numbers = objects.compactMap { $0["sequence"] as? Int }
    #expect(numbers.sorted() == Array(1...numbers.count))
    let pattern = try Regex(#""(latitude|longitude)":-?\d{1,3}\.\d{7}[,}]"#)
    for line in DemoTests.run.lines where line.contains("\"latitude\"") {
      #expect(line.matches(of: pattern).count == 2, "\(line)")
    }
    for line in DemoTests.run.lines {
      #expect(!line.contains("nan") && !line.contains("inf"), "\(line)")
      #expect(line.firstMatch(of: try Regex(#":-?\d+(\.\d+)?[eE]"#)) == nil, "\(line)")
    }
  }

  @Test func whatIsSyntheticIsSaidOnScreen() {
    let run = ToolRun("replay", Places.leiden, "--simulate-inertial", "--simulate-scene", "thief")
    #expect(run.out.hasPrefix("recorded "))
    #expect(run.out.contains("SYNTHETIC  accelerometer and gyroscope"))
    #expect(run.out.contains("SYNTHETIC  everything after the recording ends"))
  }
}

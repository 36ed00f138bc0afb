import Foundation
import Quantities
import Recording
import Testing

@testable import LeashTool

/// A power cut after each action of a recorded ride.
@Suite struct CutReplayTests {
  private func recorded(into folder: TemporaryFolder) -> String {
    let path = folder.path("ride.leash")
    let run = ToolRun([
      "replay", "--record", path, Places.leiden, "--at", "20=#1 alerts off", "--at",
      "25=#2 set reports.distance 60 motion.sensitivity high", "--at", "30=#2 set reports.distance 60", "--at",
      "40=#3 alerts on", "--at", "50=#4 privacy on", "--at", "60=#5 track 1 20", "--at", "90=#6 disarm", "--at",
      "95=#7 privacy off", "--at", "100=ping", "--then", "400",
    ])
    #expect(run.code == .success, "\(run.err)")
    return path
  }

  @Test func aPowerCutAfterEachActionOfARideWithRequestsLosesNothing() throws {
    let folder = try TemporaryFolder()
    let path = recorded(into: folder)
    let run = ToolRun("replay", "--cut-every-action", path)
    #expect(run.code == .success && run.out.hasPrefix("nothing lost: "), "\(run.out)\(run.err)")
    let json = try #require(try ToolRun("replay", "--json", "--cut-every-action", path).objects().first)
    #expect(json["lost"] as? Bool == false)
    // Each action has its cut, each packet comes again at least once, and each request from its own actions on.
    #expect((json["cuts"] as? Int ?? 0) > 60, "\(json)")
    #expect((json["repeated"] as? Int ?? 0) >= 20, "\(json)")
    #expect((json["requests"] as? Int ?? 0) > 100, "\(json)")
  }

  /// A ride with a wheel sensor, through a tunnel and on a train.
  @Test func aPowerCutAfterEachActionOfARideWithAWheelLosesNothing() throws {
    let folder = try TemporaryFolder()
    var text = "t_s,lat_deg,lon_deg,speed_mps,hacc_m,wheel_pulses\n"
    var (north, turned) = (0.0, 0.0)
    for second in 0..<700 {
      let isTrain = (250..<350).contains(second)
      let isStill = second < 20 || (230..<250).contains(second) || (350..<370).contains(second) || second >= 450
      let speed = isStill ? 0.0 : isTrain ? 20 : 5
      north += speed
      if !isTrain { turned += speed / 2.1 }
      let place = (100..<160).contains(second) ? ",,," : "\(52 + north / 111_267),4,\(speed),3"
      text += "\(second),\(place),\(Int(turned))\n"
    }
    let path = folder.path("wheel.leash")
    let csv = try folder.file("wheel.csv", text)
    let run = ToolRun([
      "replay", "--record", path, csv, "--set", "odometer.circumference=2.1", "--at", "240=#1 odometer carried", "--at",
      "600=odometer", "--then", "900",
    ])
    #expect(run.code == .success, "\(run.err)")
    let cuts = ToolRun("replay", "--cut-every-action", path)
    #expect(cuts.code == .success && cuts.out.hasPrefix("nothing lost: "), "\(cuts.out)\(cuts.err)")
    let json = try #require(try ToolRun("replay", "--json", "--cut-every-action", path).objects().first)
    #expect((json["cuts"] as? Int ?? 0) > 10, "\(json)")
  }

  /// A ride out of a fence, a parking place that becomes secure, and a night with alarms, from the recording to the packet.
  @Test func aDayWithFencesPlacesAndAlarmsIsToldAndAPowerCutLosesNoneOfThem() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("rules.leash")
    let run = ToolRun([
      "replay", "--record", path, Places.leiden, "--at", "2=#1 fence 1 set \"start\" circle here 60", "--at",
      "3=#2 fence 1 on", "--at", "4=#3 fence 2 set \"start, too\" circle here 50000", "--at",
      "5=#4 alarm 1 set \"a minute\" stay 1 inside 2", "--at",
      "6=#5 alarm 2 set \"tea\" at 17:30 daily inside 2 snooze 5", "--at", "7=#6 alarm 3 set \"up\" at 07:15 daily",
      "--at", "8=#7 alarm 4 set \"night\" quiet from 22:00 to 07:00 daily", "--at",
      "9=#8 place 1 set \"far\" 51.0,4.0 60",
      "--at", "10=#9 zone CET-1CEST,M3.5.0,M10.5.0/3", "--at", "200=#10 found", "--at", "210=#11 fence 1 delete",
      "--at",
      "3000=#12 secure \"the shed\"", "--at", "10000=#13 snooze", "--then", "86400",
    ])
    #expect(run.code == .success, "\(run.err)")
    #expect(run.out.contains("ALERT outside") && run.out.contains("Outside ended"), "\(run.out)")
    #expect(run.out.components(separatedBy: "alarmRang").count == 6, "a stay, tea, tea again, morning, tea")
    #expect(run.out.contains("\"secured\"") && run.out.contains("Rule changed"), "\(run.out)")
    let cuts = ToolRun("replay", "--cut-every-action", path)
    #expect(cuts.code == .success && cuts.out.hasPrefix("nothing lost: "), "\(cuts.out)\(cuts.err)")
    let json = try #require(try ToolRun("replay", "--json", "--cut-every-action", path).objects().first)
    #expect((json["cuts"] as? Int ?? 0) > 150 && (json["repeated"] as? Int ?? 0) > 50, "\(json)")
  }

  @Test func ofADamagedLogItIsToldWhereAndHowMuch() throws {
    let folder = try TemporaryFolder()
    let whole = try Array(Data(contentsOf: URL(filePath: recorded(into: folder))))
    var damaged = whole
    let place = whole.count / 2
    for byte in place..<place + 100 { damaged[byte] ^= 0xFF }
    let path = try folder.file("damaged.leash", damaged)
    for option in ["--cut-every-action", "--check"] {
      let run = ToolRun("replay", option, path)
      #expect(run.code == .checkFailed && run.out.isEmpty, "\(option): \(run.out)\(run.err)")
      let words = run.err.split(separator: " ").map { $0.filter { $0 != ":" && $0 != ";" && $0 != "," } }
      #expect(run.err.contains("\(path): ") && run.err.contains(" damaged bytes, the first at byte "), "\(run.err)")
      let count = words.firstIndex(of: "damaged").flatMap { Int(words[$0 - 1]) }
      let first = words.lastIndex(of: "byte").flatMap { Int(words[$0 + 1]) }
      #expect((100...4000).contains(count ?? 0) && (place - 2000...place).contains(first ?? 0), "\(run.err)")
    }
    let header = try folder.file("header.leash", [whole[0...8], [whole[9] ^ 1], whole[10...]].joined())
    let checked = ToolRun("replay", "--check", header)
    #expect(
      checked.code == .checkFailed && checked.err.contains(": 16 damaged bytes, the first at byte 0; "),
      "\(checked.err)")
    let cut = try folder.file("cut.leash", whole.prefix(whole.count - 5))
    let run = ToolRun("replay", "--cut-every-action", cut)
    #expect(run.code == .success && run.out.hasPrefix("nothing lost: "), "\(run.out)\(run.err)")
    #expect(run.err.contains("\(cut): cut off in a record at byte ") && run.err.contains("; checked up to there"))
  }

  @Test func whatIsLostIsToldWithItsPlace() throws {
    var verdict = CutVerdict()
    verdict.cutCount = 12
    verdict.trouble = CutTrouble(
      action: 12, time: .seconds(90), after: "packet 3, \"location\"", what: "packet 2 is lost")
    let output = Console.captured(isTerminal: false, width: 120)
    CutRun.tell(verdict, isJSON: false, output)
    #expect(
      output.outText
        == "a power cut at 0:01:30 loses data: after action 12, packet 3, \"location\"\n  packet 2 is lost\n")
    let other = Console.captured(isTerminal: false, width: 120)
    CutRun.tell(verdict, isJSON: true, other)
    #expect(
      other.outText
        == #"{"lost":true,"inputs":0,"cuts":12,"repeated":0,"requests":0,"action":12,"t":90.0,"after":"packet 3, \"location\"","what":"packet 2 is lost"}"#
        + "\n")
  }

  @Test func whatIsNoLogIsRefusedAndOptionsOfOthersToo() throws {
    let folder = try TemporaryFolder()
    let noLog = ToolRun("replay", "--cut-every-action", Places.leiden)
    #expect(noLog.code == .environment && noLog.problems.count == 1)
    let both = ToolRun("replay", "--cut-every-action", recorded(into: folder), "--seed", "4")
    #expect(both.code == .usage && both.err.contains("'--seed'"))
  }
}

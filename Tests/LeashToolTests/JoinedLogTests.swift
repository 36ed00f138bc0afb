import Foundation
import LinuxDevices
import Quantities
import Recording
import Testing
import TrackerCore
import TrackerRuntime

@testable import LeashTool
@testable import LinuxRuntime

/// Logs of one tracker that go on from each other are one way.
@Suite struct JoinedLogTests {
  /// A row a second: two minutes of standing, five northwards at 5 m/s, and a stop, all or a part of it on a clock of its own.
  private func ride(from first: Int = 0, to last: Int = 900, clock: Int = 0, datedFrom: Int = 0) -> String {
    var text = "t_s,utc,lat_deg,lon_deg,alt_m,speed_mps,hacc_m\n"
    var metres = 0.0
    for second in 0..<last {
      let speed: Double = (120..<420).contains(second) ? 5 : 0
      metres += speed
      guard second >= first else { continue }
      let utc = second < datedFrom ? "" : String(format: "2025-03-01T08:%02d:%02dZ", second / 60, second % 60)
      text += "\(second - clock),\(utc),\(53.0 + metres / 111_280),-6.25,20,\(speed),3\n"
    }
    return text
  }

  /// The log of a run of the ride, and the same in pieces that begin at these seconds.
  private func logs(cutAt cuts: [Int], in folder: borrowing TemporaryFolder) throws -> (whole: String, pieces: [String])
  {
    let (file, whole) = (folder.url.appending(path: "ride.csv"), folder.url.appending(path: "whole.leash").path)
    try ride().write(to: file, atomically: true, encoding: .utf8)
    let made = ToolRun(
      "replay", "--record", whole, "--set", "alertsEnabled=false", "--at", "10=gear add road bike", "--at",
      "11=gear use road",
      "--at", "200=checkpoint half note steep", file.path)
    #expect(made.code == .success, "\(made.err)")
    var pieces = [folder.url.appending(path: "run-1.leash").path]
    var writer = try LeashLogWriter(path: pieces[0])
    var configuration: [UInt8] = []
    let reader = try LeashLogReader(path: whole)
    while let record = try reader.next() {
      let bytes = reader.payload
      switch record {
      case .configuration:
        configuration = bytes
        try writer.append(configuration: bytes.span)
      case .input(let input):
        if pieces.count <= cuts.count, input.time >= .seconds(cuts[pieces.count - 1]) {
          try writer.close()
          let name = "run-\(pieces.count).leash"
          pieces.append(folder.url.appending(path: "run-\(pieces.count + 1).leash").path)
          writer = try LeashLogWriter(path: pieces[pieces.count - 1])
          try writer.append(configuration: configuration.span)
          try writer.append(continuationOf: name)
        }
        try writer.append(input, bytes: bytes.span)
      case .action(let time): try writer.append(action: bytes.span, at: time)
      case .output(let port, let time): try writer.append(output: bytes.span, to: port, at: time)
      case .note, .continuation: break
      }
    }
    try writer.close()
    return (whole, pieces)
  }

  @Test(arguments: [[60], [300], [150, 200, 201, 410, 500]]) func piecesOfARunAreOneRun(cuts: [Int]) throws {
    let folder = try TemporaryFolder()
    let (whole, pieces) = try logs(cutAt: cuts, in: folder)
    #expect(pieces.count == cuts.count + 1)
    for command in [["trips"], ["trips", "--json"], ["trips", "--export", "gpx"], ["gear", "export", "road"]] {
      let (one, many) = (ToolRun(command + [whole]), ToolRun(command + pieces))
      #expect(one.code == .success && one.out.utf8.count > 80 && many.code == .success)
      #expect(many.out == one.out, "\(command)")
    }
    let text = ToolRun(["gear", "export", "road"] + pieces).out
    #expect(text.contains("<name>half</name><desc>steep</desc>") && text.components(separatedBy: "<trkpt").count > 295)
    // In another order they do not go on from each other.
    #expect(try ToolRun(["trips", "--json"] + pieces.reversed()).objects().count > (cuts == [60] ? 0 : 1))
  }

  /// Each tracker calls its first log the same, and the newest log of one that lost its power may be empty.
  @Test func logsOfTwoTrackersAreTwoWaysAndAnEmptyOneHidesNone() throws {
    let folder = try TemporaryFolder()
    let (_, pieces) = try logs(cutAt: [300], in: folder)
    let (empty, missing) = (
      folder.url.appending(path: "run-9.leash").path, folder.url.appending(path: "none.leash").path
    )
    try Data().write(to: URL(fileURLWithPath: empty))
    let alone = try ToolRun("trips", "--json", pieces[0]).objects()
    for other in [empty, missing] {
      let run = ToolRun(["trips", "--json", other] + pieces)
      #expect(run.code == .environment && run.err.contains(other), "\(run.err)")
      #expect(try run.objects().count == 1)
      let gear = ToolRun(["gear", "export", "road"] + pieces + [other])
      #expect(gear.code == .environment && gear.out.components(separatedBy: "<trkpt").count > 295)
    }
    #expect(ToolRun("trips", empty).code == .environment)
    // The second piece beside another tracker's first, in another folder.
    let elsewhere = folder.url.appending(path: "other")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    let (own, moved) = (pieces[1], elsewhere.appending(path: "run-1.leash").path)
    try FileManager.default.copyItem(atPath: pieces[0], toPath: moved)
    let apart = ToolRun("trips", "--json", moved, own)
    #expect(try apart.objects().count == 2 && apart.err.contains("goes on from run-1.leash"), "\(apart.err)")
    #expect(try apart.objects().first?["distance"] as? Double == alone.first?["distance"] as? Double)
  }

  /// The owner says after a ride that it was carried.
  @Test func aRideThatWasCarriedIsListedWithoutLength() throws {
    let folder = try TemporaryFolder()
    let (file, log) = (folder.url.appending(path: "ride.csv"), folder.url.appending(path: "log.leash").path)
    try ride().write(to: file, atomically: true, encoding: .utf8)
    #expect(
      ToolRun(
        "replay", "--record", log, "--set", "alertsEnabled=false", "--at", "10=gear add road bike", "--at",
        "11=gear use road", "--at", "850=odometer carried", file.path
      ).code == .success)
    let rides = try ToolRun("trips", "--json", log).objects()
    #expect(rides.count == 1 && rides.first?["distance"] as? Double == 0, "\(rides)")
  }

  /// Power goes on a ride, and comes back some seconds later.
  @Test(arguments: [5, 60], [0, 800]) func aRideOverARestartIsOne(off: Int, datedFrom: Int) throws {
    let folder = try TemporaryFolder()
    let state = folder.url.appending(path: "state.sqlite").path
    var configuration = RunConfiguration()
    configuration.tracker.alertsEnabled = false
    var logs: [String] = []
    for (first, last) in [(0, 250), (250 + off, 900)] {
      let file = folder.url.appending(path: "ride.csv")
      // The second receiver may tell the time only when the ride is over.
      let dated = first == 0 ? 0 : datedFrom
      try ride(from: first, to: last, clock: first, datedFrom: dated).write(to: file, atomically: true, encoding: .utf8)
      logs.append(folder.url.appending(path: "life-\(logs.count + 1).leash").path)
      let log = try LeashLogWriter(path: logs[logs.count - 1])
      let store = try StateStore(path: state, clock: MachineClock())
      let run = try TrackerRun(configuration, log: log, store: store) { _, _ in }
      if let bytes = try store.restoration() { try run.restore(bytes, at: .zero) }
      let recording = try openRecording(file.path, port: Port.gnss.rawValue)
      while let input = try recording.next() {
        try run.feed(input, payload: recording.payload)
        if input.time == .seconds(200), first == 0 {
          try run.feed(.command(input.time), payload: Array("checkpoint half".utf8))
        }
      }
      run.look { store.close($0) }
      try log.close()
    }
    let rides = try ToolRun(["trips", "--json"] + logs).objects()
    try #require(rides.count == 1)
    func number(_ name: String) -> Double { rides[0][name] as? Double ?? .nan }
    #expect((rides[0]["startUTC"] as? String)?.hasPrefix("2025-03-01T08:02:0") == true, "\(rides)")
    #expect((rides[0]["endUTC"] as? String)?.hasPrefix("2025-03-01T08:06:5") == true, "\(rides)")
    #expect(abs(number("distance") - 1500) < 15 && abs(number("duration") - 299) <= 6, "\(rides)")
    // Where the time off is known only after the ride, it is in no moving time.
    #expect(
      abs(number("movingTime") - 299) <= (datedFrom > 0 ? 25 + Double(off) : 25)
        && abs(number("fixes") - Double(300 - off)) <= 5, "\(rides)")
    let gpx = ToolRun(["trips", "--export", "gpx"] + logs).out
    #expect(
      gpx.components(separatedBy: "<trk>").count == 2 && gpx.components(separatedBy: "<wpt").count == 2,
      "\(gpx.prefix(600))")
    #expect(gpx.contains("<name>half</name>"))
    // The second alone knows of the first what was kept.
    let second = try ToolRun(["trips", "--json", logs[1]]).objects()
    #expect(second.count == 1 && second[0]["startUTC"] as? String == rides[0]["startUTC"] as? String)
    // Alone, the first ends where it was cut.
    #expect(try ToolRun(["trips", "--json", logs[0]]).objects().count == 1)
    // Another tracker's log in between is another's.
    let other = folder.url.appending(path: "other.csv")
    try ride().write(to: other, atomically: true, encoding: .utf8)
    #expect(try ToolRun(["trips", "--json"] + logs + [other.path]).objects().count == 2)
  }
}

import Foundation
import Quantities
import Recording
import Testing

@testable import LeashTool

private let header = "t_s,gx,gy,gz,ax,ay,az,mx,my,mz\n"

/// A sensor that rests for three seconds and then tumbles, 100 Hz; its rows without their stamps.
private func values(_ count: Int) -> [String] {
  var attitude = Quaternion.identity
  var random = SplitMix64(seed: 61)
  func number() -> Float { Float(Int64(bitPattern: random.next() >> 11) - (1 << 52)) * 0x1p-52 }
  func noise(_ size: Float) -> Vector3 { Vector3(number(), number(), number()) * size }
  return (0..<count).map { index in
    let s = Float(index - 300) * 0.01
    let rate =
      index < 300
      ? Vector3.zero
      : Vector3(2 * Elementary.sin(2.1 * s), 1.5 * Elementary.sin(3.3 * s), 1.2 * Elementary.sin(1.3 * s))
    attitude = (attitude * Quaternion(rotationVector: rate * 0.01)).normalized
    let toBody = attitude.conjugate
    let all = [
      rate + noise(0.004), toBody.rotate(Vector3(0, 0, 9.81)) + noise(0.04),
      toBody.rotate(Vector3(0, 20, -40)) + noise(0.4),
    ]
    return all.map { "\($0.x),\($0.y),\($0.z)" }.joined(separator: ",")
  }
}

/// The attitudes that `leash fuse` gives for rows with these stamps.
private func fuse(
  _ values: [String], _ arguments: String..., stamp: (Int) -> Double
) throws -> (run: ToolRun, attitudes: [Quaternion]) {
  let folder = try TemporaryFolder()
  let rows = values.indices.map { "\(String(format: "%.6f", stamp($0))),\(values[$0])\n" }
  let file = try folder.file("imu.csv", header + rows.joined())
  let run = ToolRun(["fuse", file, "--output", "-"] + arguments)
  let attitudes = run.lines.dropFirst().map { line in
    let cells = line.split(separator: ",").compactMap { Float($0) }
    return Quaternion(w: cells[1], x: cells[2], y: cells[3], z: cells[4])
  }
  return (run, attitudes)
}

/// The largest angle between two runs over the last ten seconds, degrees.
private func apart(_ a: [Quaternion], _ b: [Quaternion]) -> Float {
  zip(a, b).suffix(1000).map { ($0.conjugate * $1).normalized.angle * 180 / .pi }.max() ?? .infinity
}

@Suite struct FuseClockTests {
  @Test(arguments: [30.0, 4000])
  func aClockThatWasSetBackIsToldByItsRowAndTheFilterGoesOn(back: Double) throws {
    let rows = values(4000)
    let plain = try fuse(rows) { Double($0) / 100 }
    #expect(plain.run.code == .success && plain.run.err.isEmpty, "\(plain.run.err)")
    let (run, attitudes) = try fuse(rows) { Double($0) / 100 - ($0 < 1500 ? 0 : back) }
    #expect(run.code == .success && attitudes.count == 4000)
    #expect(apart(attitudes, plain.attitudes) < 3, "\(apart(attitudes, plain.attitudes))°")
    let told = run.err.split(separator: "\n").filter { $0.contains("clocks set back") }
    #expect(told.count == 1, "\(run.err)")
    if let line = told.first { #expect(line.contains("imu.csv:2002: 1 clocks set back"), "\(line)") }
  }

  @Test(arguments: [0.0, 20e-6])
  func stampsOfABufferAreToldAndDatedBySampleClock(apart step: Double) throws {
    let rows = values(4000)
    func stamp(_ row: Int) -> Double { Double(row / 8 * 8 + 7) / 100 - Double(7 - row % 8) * step }
    let plain = try fuse(rows) { Double($0) / 100 }
    let bunched = try fuse(rows, stamp: stamp)
    #expect(bunched.run.err.contains("88 % of the samples") && bunched.run.err.contains("--sample-clock"))
    let dated = try fuse(rows, "--sample-clock", stamp: stamp)
    #expect(!dated.run.err.contains("--sample-clock") && dated.attitudes.count == 4000, "\(dated.run.err)")
    #expect(apart(dated.attitudes, plain.attitudes) < 1, "\(apart(dated.attitudes, plain.attitudes))°")
    #expect(apart(bunched.attitudes, plain.attitudes) > 3)
    // Going back in time wants the same times.
    let offline = try fuse(rows, "--sample-clock", "--offline", stamp: stamp)
    #expect(apart(offline.attitudes, plain.attitudes) < 2, "\(apart(offline.attitudes, plain.attitudes))°")
  }

  @Test func evenStampsAreNoBunches() {
    var bunches = StampBunches()
    func sample(_ microseconds: Int64, isWhole: Bool = true) -> InertialSample {
      InertialSample(
        time: Instant(microseconds: microseconds), angularRate: .zero, specificForce: isWhole ? .zero : nil)
    }
    // One of five is late; and a second sensor has rows of its own at the same times.
    for step in 0..<2000 {
      let time = Int64(step) * 10_000 + (step % 5 == 0 ? 8500 : 0)
      bunches.add(sample(time))
      bunches.add(sample(time, isWhole: false))
    }
    #expect(bunches.remark == nil)
    bunches = StampBunches()
    for step in 0..<3000 { bunches.add(sample(Int64(step / 3) * 30_000)) }
    #expect(bunches.remark?.contains("67 %") == true)
    bunches = StampBunches()
    for step in 0..<100 { bunches.add(sample(Int64(step / 8) * 80_000)) }
    #expect(bunches.remark == nil, "too short to tell")
    // One gap in a short recording makes the mean step long.
    bunches = StampBunches()
    for step in 0..<300 { bunches.add(sample(Int64(step) * 3500 + (step > 60 ? 2_400_000 : 0))) }
    #expect(bunches.remark == nil, "a gap")
  }

  /// Ten at a time are read, and some readings are lost: what came behind is dated so, and not only what comes two seconds later.
  @Test(arguments: [0, 4000]) func lostSamplesAreAGapWhereTheyWereLost(late: Int64) throws {
    var dating = SampleDating()
    var (truth, dated): ([Int64], [Int64]) = ([], [])
    let lost: Set<Int64> = [90, 160, 161, 260]
    for number in 0..<4000 as Range<Int64> where !lost.contains(number / 10) {
      var random = SplitMix64(seed: UInt64(number / 10))
      let delay = late == 0 ? 0 : Int64(random.next() % UInt64(late))
      var row = InertialRow()
      let stamp = Instant(microseconds: (number / 10 * 10 + 9) * 10_000 + delay)
      row.sample = InertialSample(time: stamp, angularRate: .zero, specificForce: .zero)
      row.time = stamp
      dating.add(row)
      truth.append(number * 10_000)
      while let row = dating.next(), let sample = row.sample { dated.append(sample.time.microseconds) }
    }
    dating.finish()
    while let row = dating.next(), let sample = row.sample { dated.append(sample.time.microseconds) }
    #expect(dated.count == truth.count && dating.lossCount == 3)
    let errors = zip(dated, truth).map { $0 - $1 }
    let usual = errors.sorted()[errors.count / 2]
    // A bunch that was lost is 100 ms; a spacing learnt from late bunches is off by a thousandth for a while.
    let worst = zip(errors, truth).filter { $0.1 > 3_000_000 }.map { ($0.0 - usual).magnitude }.max()
    #expect(worst ?? .max < (late == 0 ? 15_000 : 50_000))
  }

  @Test func noRowIsLostOrChangesItsPlaceInTheClock() {
    for count in [0, 1, 30, 90, 400] {
      var dating = SampleDating()
      var lines: [Int] = []
      var times: [Int64] = []
      func take() {
        while let row = dating.next() {
          lines.append(row.line)
          if let sample = row.sample { times.append(sample.time.microseconds) }
        }
      }
      for line in 0..<count {
        var row = InertialRow()
        row.line = line
        if line % 10 != 3 {
          row.sample = InertialSample(
            time: Instant(microseconds: Int64(line / 8 * 8) * 10_000), angularRate: .zero, specificForce: .zero)
        }
        dating.add(row)
        take()
      }
      dating.finish()
      take()
      #expect(lines == Array(0..<count))
      guard count == 400 else { continue }
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "later each time")
    }
  }
}

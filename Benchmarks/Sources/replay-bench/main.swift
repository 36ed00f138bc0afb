import BenchmarkHarness
import Foundation
import Quantities
import Recording
import TrackerRuntime
import TrackerCore

// replay-bench TRACK [ROUNDS]              the table
// replay-bench TRACK --count CASE REPEATS  one case on a part of the ride; prints the samples of one run, of `parts…` its fixes
let words = Array(CommandLine.arguments.dropFirst())
guard let track = words.first else {
  print("replay-bench: the track is missing")
  exit(2)
}

/// Runs a tracker over what a source gives; the sum of all packet bytes, which depends on everything.
func replay(
  _ configuration: RunConfiguration = RunConfiguration(), log: LeashLogWriter? = nil,
  _ next: () throws -> TrackerInput?
) throws -> Int64 {
  var sum: Int64 = 0
  let run = try TrackerRun(configuration, log: log) { _, bytes in sum = sum &* 31 &+ Int64(bytes.count) }
  while let input = try next() { try run.feed(input) }
  try log?.close()
  return sum
}

func fromImporter(_ importer: any RecordingImporter) throws -> Int64 {
  try replay {
    while let input = try importer.next() {
      switch input {
      case .tick, .acknowledgement: continue
      default: return input
      }
    }
    return nil
  }
}

/// Twenty minutes of a vehicle that stands, by a sensor as loud as an MPU-6050: armed for the last fifteen.
///
/// - Parameter period: Time between two samples, µs: 50 a second.
func standing(period: Int64 = 20_000) -> [TrackerInput] {
  var random = SplitMix64(seed: 1)
  func noise(_ deviation: Float) -> Float {
    var sum: Float = -2
    for _ in 0..<4 { sum += Float(random.next() >> 40) / 16_777_216 }
    return sum * 1.732 * deviation
  }
  return (0..<1_200_000_000 / period).map { place in
    .inertial(
      InertialSample(
        time: Instant(microseconds: place * period),
        angularRate: Vector3(0.02 + noise(0.003), noise(0.003), noise(0.003)),
        specificForce: Vector3(noise(0.03), noise(0.03), 9.8 + noise(0.05))))
  }
}

func cases(_ ride: Ride) -> [(name: String, key: String, body: () throws -> Int64)] {
  [
    (
      "tracker and run loop, from memory", "memory",
      {
        var place = 0
        return try replay {
          guard place < ride.inputs.count else { return nil }
          place += 1
          return ride.inputs[place - 1]
        }
      }
    ),
    (
      "from two CSV files, merged", "csv",
      { try fromImporter(MergedRecording([openRecording(ride.imu), openRecording(ride.gnss)])) }
    ),
    ("from a Leash log", "log", { try fromImporter(openRecording(ride.log)) }),
    (
      "from two CSV files, recording a log", "record",
      {
        let writer = try LeashLogWriter(path: ride.folder.appending(path: "out.leash").path)
        let importer = try MergedRecording([openRecording(ride.imu), openRecording(ride.gnss)])
        return try replay(log: writer) { try importer.next() }
      }
    ),
  ]
}

/// The same from a list.
func replay(_ configuration: RunConfiguration = RunConfiguration(), from inputs: [TrackerInput]) throws {
  var place = 0
  _ = try replay(configuration) {
    guard place < inputs.count else { return nil }
    place += 1
    return inputs[place - 1]
  }
}

if words.count == 4, words[1] == "--count", ["parts", "parts-parked"].contains(words[2]), let repeats = Int(words[3]) {
  let ride = try Ride(track: track, limit: 60_000)
  defer { ride.remove() }
  let inputs = words[2] == "parts" ? withSensors(ride.inputs) : withFixes(standing())
  for _ in 0..<repeats { try replay(allOn(), from: inputs) }
  print(fixCount(inputs))
} else if words.count == 4, words[1] == "--count", ["parked", "parked-slow"].contains(words[2]),
  let repeats = Int(words[3])
{
  let inputs = standing(period: words[2] == "parked" ? 20_000 : 80_000)
  for _ in 0..<repeats { try replay(from: inputs) }
  print(inputs.count)
} else if words.count == 4, words[1] == "--count", let repeats = Int(words[3]) {
  let ride = try Ride(track: track, limit: 60_000)
  defer { ride.remove() }
  for one in cases(ride) where one.key == words[2] {
    for _ in 0..<repeats { _ = try one.body() }
    print(ride.sampleCount)
  }
} else {
  let rounds = words.count > 1 ? Int(words[1]) ?? 15 : 15
  let ride = try Ride(track: track, limit: .max)
  defer { ride.remove() }
  print("Ride: \(ride.sampleCount) samples of 100 Hz and fixes of 1 Hz over \(Int(ride.seconds)) s, one core.")
  print("\n| replay | times real time | ns per sample | longest round / shortest |\n|---|---:|---:|---:|")
  let all = cases(ride)
  var times = all.map { _ in [Double]() }
  // In turns, because the machine's speed drifts.
  for _ in 0..<rounds {
    for place in all.indices {
      let start = processorSeconds()
      _ = try all[place].body()
      times[place].append(processorSeconds() - start)
    }
  }
  for place in all.indices {
    let sorted = times[place].sorted()
    let middle = sorted[sorted.count / 2]
    let numbers = [
      fixed(ride.seconds / middle, 0), fixed(middle / Double(ride.sampleCount) * 1e9, 0),
      fixed((sorted.last ?? 1) / (sorted.first ?? 1), 2),
    ]
    print("| \(all[place].name) | " + numbers.joined(separator: " | ") + " |")
  }
}

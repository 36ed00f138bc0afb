import BenchmarkHarness
import Glibc
import LinuxDevices
import Quantities

// board-bench LEASH FOLDER COMMAND [NUMBER]: measures the program LEASH with its state in FOLDER.
//
//   latency-mqtt, latency-http [ALERTS]   from the sample that completes the evidence to the first byte at the server
//   latency-slow [ALERTS]                 the same by MQTT with the library SLOW_STORAGE before the C library
//   sync [COMMITS]                        what it costs to have so many bytes on the storage
//   cpu, cpu-recording, cpu-page [SECONDS]
//   memory [SAMPLES]
//   start [TIMES]
//
// Each prints lines of "name: value", for Benchmarks/board.sh.

let words = CommandLine.arguments
guard words.count >= 4 else {
  stop(2, "expected LEASH FOLDER COMMAND [NUMBER]")
}
let number = words.count > 4 ? Int(words[4]) : nil

do {
  let rig = try Rig(leash: words[1], in: words[2])
  switch words[3] {
  case "latency-mqtt": try measureLatency(rig, .mqtt, alerts: number ?? 100)
  case "latency-http": try measureLatency(rig, .http, alerts: number ?? 100)
  case "latency-slow":
    guard let library = getenv("SLOW_STORAGE") else { throw RigFailure("SLOW_STORAGE names no library") }
    try measureLatency(rig, .mqtt, alerts: number ?? 30, preloaded: String(cString: library))
  case "sync": try measureSync(rig, times: number ?? 200)
  case "cpu": try measureLoad(rig, Rig.Setting(hasReceiver: true), seconds: number ?? 60)
  case "cpu-recording":
    try measureLoad(rig, Rig.Setting(hasReceiver: true, isRecording: true), seconds: number ?? 60)
  case "cpu-page": try measureLoad(rig, Rig.Setting(hasReceiver: true, page: try freePort()), seconds: number ?? 60)
  case "memory": try measureMemory(rig, samples: number ?? 360_000)
  case "start": try measureStart(rig, times: number ?? 20)
  default: throw RigFailure("unknown command \(words[3])")
  }
} catch {
  stop(3, "\(error)")
}

/// Says why on standard error, and ends.
func stop(_ code: Int32, _ reason: String) -> Never {
  let line = "board-bench: \(reason)\n"
  _ = write(2, line, line.utf8.count)
  exit(code)
}

/// The value below which a share of them lies.
func quantile(_ values: [Double], _ share: Double) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
}

/// Milliseconds with two decimals.
func milliseconds(_ seconds: Double) -> String { fixed(seconds * 1000, 2) }

/// A port where nobody listens.
func freePort() throws -> UInt16 { try UplinkStub(.http).port }

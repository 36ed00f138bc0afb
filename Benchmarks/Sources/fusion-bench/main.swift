import Foundation
import FusionEvaluation

// fusion-bench --trials DIR [--peer LIBRARY]... [--rounds N] [--machine TEXT] [--json] [--speed] [--drives]
// fusion-bench --trials DIR --count 6|9 REPEATS   runs over the first trial; prints the samples of one run

/// The best peer.
let baseline = "VQF float"
/// The same with the best settings and with the delay of the gyroscope made up for: all that is known to help it.
let tunedBaseline = "VQF float, tauMag 18 s"
let bestBaseline = "\(tunedBaseline), advanced 2.4 ms"
/// Trials whose processing is timed: slow and fast, and one with breaks.
let timedTrials = ["07", "05", "15"]

func say(_ text: String) { FileHandle.standardError.write(Data("fusion-bench: \(text)\n".utf8)) }

func readTrials(in directory: String, atMost limit: Int = .max) throws -> [OrientationTrial] {
  let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
    .filter { $0.hasSuffix(".csv.gz") || $0.hasSuffix(".csv") }.sorted().prefix(limit)
  guard !names.isEmpty else {
    throw Failure(environment: "no trials (*.csv.gz) in \(directory); give their folder with --trials")
  }
  say("reading \(names.count) trials")
  do {
    return try names.map { try OrientationTrial(path: "\(directory)/\($0)") }
  } catch {
    throw Failure(environment: "\(error)")
  }
}

/// The peers, in the tables where each belongs.
func peers(in libraries: [PeerLibrary]) -> [Contender] {
  let all = libraries.flatMap(\.contenders)
  var result: [Contender] = []
  for peer in all {
    switch peer.name {
    case baseline:
      result.append(peer.standing(in: [.accuracy, .perturbations, .speed]))
      result.append(
        peer.advanced(by: 0.0024, name: "\(baseline), advanced 2.4 ms").standing(in: [.accuracy, .perturbations]))
    case tunedBaseline:
      result.append(peer.standing(in: [.accuracy, .perturbations]))
      result.append(peer.advanced(by: 0.0024, name: bestBaseline).standing(in: [.accuracy]))
    case "VQF float, bias clip 25 °/s": result.append(peer.standing(in: [.perturbations]))
    default: result.append(peer)
    }
  }
  return result
}

func run() throws {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  if let count = options.count {
    let trial = try readTrials(in: options.trials, atMost: 1)[0]
    print(runsToCount(over: trial, axes: count.axes, repeats: count.repeats))
    return
  }
  let trials = try readTrials(in: options.trials)
  let contenders = ourContenders() + peers(in: try options.peers.map { try PeerLibrary(path: $0) })
  let timed = trials.filter { trial in timedTrials.contains { trial.name.hasPrefix($0) } }
  let speed = SpeedTest(of: contenders, on: timed.isEmpty ? Array(trials.prefix(1)) : timed)
  var accuracies: [Accuracy] = []
  var perturbations: [PerturbedAccuracy] = []
  if !options.isSpeedOnly, !options.isDrivesOnly {
    for contender in contenders where contender.tables.contains(.accuracy) {
      say("accuracy: \(contender.name)")
      accuracies.append(Accuracy(of: contender, on: trials))
    }
    for fault in faults {
      speed.measure(rounds: max(1, options.rounds / 6))
      say("fault: \(fault.name)")
      perturbations.append(PerturbedAccuracy(of: contenders, on: trials, with: fault))
    }
  }
  var demands = Demands()
  if !options.isSpeedOnly {
    for contender in contenders
    where contender.tables.contains(.perturbations) && !contender.name.contains(",") && !options.isDrivesOnly {
      say("gaps and starts: \(contender.name)")
      demands.interruptions.append(Interruptions(of: contender, on: trials))
    }
    if !options.isDrivesOnly {
      say("normalised errors")
      demands.normalized = NormalizedErrors(on: trials)
    }
    let driving = contenders.filter { [OurName.withoutLatency, OurName.lite, baseline].contains($0.name) }
    if let offline = contenders.first(where: { $0.name == "offlineVQF float" }) {
      for name in Drive.names {
        guard let drive = Drive(name, in: options.rides) else { continue }
        say("drive: \(name)")
        demands.drives.append(DriveResult(drive, driving, offline: offline))
      }
    }
    if options.isDrivesOnly {
      print(demands.driveTable().text)
      print(demands.tiltTable().text)
      print(demands.laidTable().text)
      return
    }
    let fielded = contenders.filter { [OurName.full, OurName.lite, baseline].contains($0.name) }
    demands.magnetic = MagneticFault.allCases.flatMap {
      say("magnetic fault: \($0.rawValue)")
      return magneticResults(of: fielded, on: trials, with: $0)
    }
    say("halves: \(HalvedChoice.settings.count) settings")
    (demands.settings, demands.choices) = HalvedChoice.all(on: trials)
  }
  say("speed: \(options.rounds) rounds")
  speed.measure(rounds: options.rounds)
  let report = Report(
    machine: options.machine, trials: trials.map(\.name), baselines: [baseline, bestBaseline],
    accuracies: accuracies, perturbations: perturbations, demands: demands, speeds: speed.results)
  print(options.isJSON ? try report.json() : report.markdown(), terminator: options.isJSON ? "\n" : "")
}

do {
  try run()
} catch let failure as Failure {
  say(failure.message)
  exit(failure.exitCode)
} catch {
  say("\(error)")
  exit(3)
}

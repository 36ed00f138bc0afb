/// What the command line asks for.
struct Options {
  static let usage = """
    usage: fusion-bench --trials DIR [--peer LIBRARY]... [--rounds N] [--machine TEXT] [--json] [--speed] [--drives]
           fusion-bench --trials DIR --count 6|9 REPEATS
    """

  var trials = ""
  var peers: [String] = []
  var rounds = 25
  var machine = ""
  var isJSON = false
  /// Only the timing.
  var isSpeedOnly = false
  /// Only the drives.
  var isDrivesOnly = false
  /// Folder of drives with other sensors, beside that of the trials.
  var rides: String { "\(trials)/../rides" }
  /// Only so many runs over the first trial, for a counter of instructions.
  var count: (axes: Axes, repeats: Int)?

  init(_ words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json":
        isJSON = true
        continue
      case "--speed":
        isSpeedOnly = true
        continue
      case "--drives":
        isDrivesOnly = true
        continue
      case "--count":
        guard let axes = rest.popFirst().flatMap({ ["6": Axes.six, "9": .nine][$0] }),
          let repeats = rest.popFirst().flatMap({ Int($0) }), repeats > 0
        else { throw Failure(usage: "--count needs 6 or 9, and a number of runs\n\(Options.usage)") }
        count = (axes, repeats)
        continue
      default: break
      }
      guard ["--trials", "--peer", "--rounds", "--machine"].contains(word) else {
        throw Failure(usage: "unknown option \(word)\n\(Options.usage)")
      }
      guard let value = rest.popFirst() else { throw Failure(usage: "\(word) needs a value\n\(Options.usage)") }
      switch word {
      case "--trials": trials = value
      case "--peer": peers.append(value)
      case "--machine": machine = value
      default:
        guard let count = Int(value), (1...1000).contains(count) else {
          throw Failure(usage: "--rounds \(value): a number from 1 to 1000 is needed")
        }
        rounds = count
      }
    }
    guard !trials.isEmpty else { throw Failure(usage: "--trials is missing\n\(Options.usage)") }
  }
}

/// What the command line asks for.
struct Options {
  static let usage = """
    usage: fusion-bench --trials DIR [--peer LIBRARY]... [--rounds N] [--machine TEXT] [--json] [--speed]
    """

  var trials = ""
  var peers: [String] = []
  var rounds = 25
  var machine = ""
  var isJSON = false
  /// Only the timing.
  var isSpeedOnly = false

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

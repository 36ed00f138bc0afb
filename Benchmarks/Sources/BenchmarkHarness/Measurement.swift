import Glibc

/// One way to do a piece of work.
public struct BenchmarkCase {
  /// What the table calls it.
  public let name: String
  /// A word for the command line.
  public let key: String
  /// Does the work once and gives something that depends on all of it.
  public let body: () -> Int64

  /// - Parameters:
  ///   - name: What the table calls it.
  ///   - key: A word for the command line.
  ///   - body: Does the work once and gives something that depends on all of it.
  public init(_ name: String, key: String, body: @escaping () -> Int64) {
    self.name = name
    self.key = key
    self.body = body
  }
}

/// Several ways to do the same work, the first of which is the peer the others are compared with.
public struct BenchmarkGroup {
  /// What the work is.
  public let title: String
  /// Bytes that one run reads or writes.
  public let byteCount: Int
  /// What one run is made of, such as sentences.
  public let itemName: String
  /// How many of them.
  public let itemCount: Int
  /// The ways; the first is the peer.
  public let cases: [BenchmarkCase]

  /// - Parameters:
  ///   - title: What the work is.
  ///   - byteCount: Bytes that one run reads or writes.
  ///   - itemName: What one run is made of, such as sentence.
  ///   - itemCount: How many of them.
  ///   - cases: The ways; the first is the peer.
  public init(_ title: String, byteCount: Int, itemName: String, itemCount: Int, cases: [BenchmarkCase]) {
    self.title = title
    self.byteCount = byteCount
    self.itemName = itemName
    self.itemCount = itemCount
    self.cases = cases
  }

  /// What one case took: the median of the rounds for one item, and of the rounds' own ratios to the peer.
  public struct Time {
    /// Nanoseconds for one item.
    public let nanoseconds: Double
    /// Time over that of the peer.
    public let ratio: Double
    /// Longest round over the shortest.
    public let spread: Double
  }

  /// Runs all cases in turn, round after round.
  ///
  /// Turns, because the machine's speed drifts; the ratio is the median of the rounds' own ratios. Time is the processor time of
  /// this process, so that other work on the machine disturbs less.
  public func times(rounds: Int) -> [Time] {
    var times = cases.map { _ in [Double]() }
    for place in cases.indices { keepAlive(cases[place].body()) }
    for _ in 0..<rounds {
      for place in cases.indices {
        let start = processorSeconds()
        keepAlive(cases[place].body())
        times[place].append(processorSeconds() - start)
      }
    }
    return times.map { own in
      Time(
        nanoseconds: median(own) / Double(itemCount) * 1e9,
        ratio: median(own.indices.map { own[$0] / times[0][$0] }), spread: (own.max() ?? 0) / (own.min() ?? 1))
    }
  }

  /// The same as the rows of a table in Markdown, under `header`.
  public func measure(rounds: Int) -> [String] {
    zip(cases, times(rounds: rounds)).map { one, time in
      let speed = Double(byteCount) / Double(itemCount) / time.nanoseconds * 1e3
      let numbers = [fixed(speed, 0), fixed(time.nanoseconds, 1), fixed(time.ratio, 2), fixed(time.spread, 2)]
      return "| \(one.name) | " + numbers.joined(separator: " | ") + " |"
    }
  }

  /// The titles over the rows of `measure`.
  public var header: String {
    "| \(title) | MB/s | ns per \(itemName) | time against the first | longest round / shortest |\n|---|---:|---:|---:|---:|"
  }
}

/// Keeps the compiler from leaving out work whose result nobody uses.
@inline(never) public func keepAlive(_ value: Int64) { withExtendedLifetime(value) {} }

/// Processor time of this process, s.
public func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// A number with so many decimals.
public func fixed(_ value: Double, _ decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let whole = Int((value * scale).rounded())
  let unit = Int(scale)
  guard decimals > 0 else { return "\(whole)" }
  let fraction = String(whole % unit)
  return "\(whole / unit)." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

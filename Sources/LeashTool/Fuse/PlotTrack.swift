/// One line of a plot, thinned while it is taken in so that a day needs no more memory than a minute.
///
/// Time is cut into bins that keep their least and largest value, so that no peak is lost. When the bins run out, each two
/// become one.
struct PlotTrack {
  /// What is kept of a stretch of time.
  struct Bin: Equatable {
    var firstTime: Double
    var lastTime: Double
    var first: Float
    var last: Float
    var least: Float
    var most: Float
    /// The least of the values above zero and the largest of the others: the ends of an angle's two branches.
    var leastPositive: Float
    var mostNegative: Float
    /// True when an angle went over ±180° inside.
    var isWrapped: Bool
    /// For the mean.
    var sum: Float
    var count: Float

    init(time: Double, value: Float) {
      firstTime = time
      lastTime = time
      first = value
      last = value
      least = value
      most = value
      leastPositive = value > 0 ? value : .infinity
      mostNegative = value > 0 ? -.infinity : value
      isWrapped = false
      sum = value
      count = 1
    }

    /// Takes in what follows.
    mutating func join(_ next: Bin) {
      isWrapped = isWrapped || next.isWrapped || abs(next.first - last) > 180
      lastTime = next.lastTime
      last = next.last
      least = min(least, next.least)
      most = max(most, next.most)
      leastPositive = min(leastPositive, next.leastPositive)
      mostNegative = max(mostNegative, next.mostNegative)
      sum += next.sum
      count += next.count
    }

    /// The mean of the values.
    var mean: Float { sum / count }
    /// The middle of the times.
    var time: Double { (firstTime + lastTime) / 2 }
  }

  private var bins: [Bin?] = []
  private var start = 0.0
  private var width = 0.001

  private static let capacity = 4096

  /// Takes one value in; one of a time before the last is passed over, as is one that is not finite.
  mutating func add(_ time: Double, _ value: Float) {
    guard value.isFinite else { return }
    if bins.isEmpty { start = time }
    var place = (time - start) / width
    guard place >= Double(bins.count - 1) else { return }
    while place >= Double(PlotTrack.capacity) {
      halve()
      place = (time - start) / width
    }
    let index = Int(place)
    while bins.count <= index { bins.append(nil) }
    let bin = Bin(time: time, value: value)
    if bins[index] == nil { bins[index] = bin } else { bins[index]?.join(bin) }
  }

  /// What was taken in, in at most `count` stretches of equal length.
  func columns(_ count: Int) -> [Bin] {
    let share = max(1, (bins.count + count - 1) / count)
    return stride(from: 0, to: bins.count, by: share).compactMap { first in
      PlotTrack.joined(bins[first..<min(bins.count, first + share)])
    }
  }

  private mutating func halve() {
    width *= 2
    bins = stride(from: 0, to: bins.count, by: 2).map { PlotTrack.joined(bins[$0..<min(bins.count, $0 + 2)]) }
  }

  private static func joined(_ bins: ArraySlice<Bin?>) -> Bin? {
    var result: Bin?
    for case .some(let bin) in bins {
      if result == nil { result = bin } else { result?.join(bin) }
    }
    return result
  }
}

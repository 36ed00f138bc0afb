import Glibc

/// Where the marks of an axis stand and what is written at them.
struct PlotAxis {
  /// First and last value.
  var low: Double
  var high: Double
  /// Distance of the marks.
  var step: Double

  /// An axis for values from `low` to `high`, widened to whole steps.
  ///
  /// - Parameters:
  ///   - smallest: The least span worth showing, so that rounding noise does not fill the picture.
  ///   - marks: About how many steps there should be.
  init(from low: Double, to high: Double, smallest: Double, marks: Double = 4) {
    let middle = (low + high) / 2
    let span = max(high - low, smallest, 1e-9)
    let lowest = min(low, middle - span / 2)
    let highest = max(high, middle + span / 2)
    let rough = span / marks
    let decade = pow(10, floor(log10(rough)))
    step = ([1, 2, 5, 10].first { $0 * decade >= rough * 0.999 } ?? 10) * decade
    self.low = floor(lowest / step + 1e-9) * step
    self.high = ceil(highest / step - 1e-9) * step
  }

  /// An axis of angles in degrees: the whole circle where it is used.
  init(degreesFrom low: Double, to high: Double) {
    if low < -90 || high > 90 {
      self.init(low: -180, high: 180, step: 90)
    } else {
      self.init(from: low, to: high, smallest: 2)
      self.low = max(self.low, -180)
      self.high = min(self.high, 180)
    }
  }

  private init(low: Double, high: Double, step: Double) {
    self.low = low
    self.high = high
    self.step = step
  }

  /// An axis of time, s, that ends where the values end.
  init(secondsFrom low: Double, to high: Double) {
    let span = max(high - low, 1e-3)
    let steps: [Double] = [
      10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    ]
    if span <= 60 {
      step = PlotAxis(from: 0, to: span, smallest: 0, marks: 8).step
    } else {
      step = steps.first { $0 >= span / 10 } ?? ceil(span / 864_000) * 86_400
    }
    self.low = low
    self.high = low + span
  }

  /// The values at which marks stand.
  var marks: [Double] {
    let first = (low / step - 1e-6).rounded(.up)
    let count = Int(((high - low) / step + 1e-6).rounded(.down)) + 1
    return (0..<max(0, min(count, 100))).map { (first + Double($0)) * step }.filter { $0 <= high + step * 1e-6 }
  }

  /// The text at a mark, with as many decimals as the step needs.
  func label(_ value: Double) -> String {
    let decimals = max(0, min(6, Int(ceil(-log10(step) - 1e-9))))
    return TimeText.decimal(value, decimals).replacingHyphen
  }

  /// What stands below an axis of time.
  var timeTitle: String {
    step < 60 && high - low <= 600 ? "t_s (s)" : high - low < 7200 ? "t_s (min:s)" : "t_s (h:min)"
  }

  /// The text at a mark of an axis of time.
  func timeLabel(_ value: Double) -> String {
    if step < 60 && high - low <= 600 { return label(value) }
    let isMinutes = high - low < 7200
    let whole = Int(abs(isMinutes ? value : value / 60).rounded())
    let rest = whole % 60
    return (value < 0 && whole > 0 ? "−" : "") + "\(whole / 60):" + (rest < 10 ? "0" : "") + "\(rest)"
  }
}

extension String {
  /// With a minus sign for the hyphen in front of a number.
  fileprivate var replacingHyphen: String { hasPrefix("-") ? "−" + dropFirst() : self }
}

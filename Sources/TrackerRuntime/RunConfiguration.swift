public import TrackerCore

/// What makes a run of the tracker repeatable besides its inputs: the configuration and the seed.
public struct RunConfiguration: Equatable, Sendable {
  /// What decides the tracker's behaviour.
  public var tracker = TrackerConfiguration()
  /// Start of all randomness.
  public var seed: UInt64 = 1

  /// The defaults.
  public init() {}

  /// Why a setting was refused.
  public struct Refusal: Error, Equatable, Sendable {
    /// The name as it was given.
    public var name: String
    /// What the value must be; nil when there is no setting of that name.
    public var expectation: String?
    /// What the value must be and what of it is wrong; nil when there is no setting of that name.
    package var complaint: String?

    init(name: String, expectation: String? = nil, complaint: String? = nil) {
      self.name = name
      self.expectation = expectation
      self.complaint = complaint
    }
  }

  /// Sets one value by its name.
  ///
  /// - Throws: When there is no such setting or the value does not fit; nothing is changed then.
  public mutating func set(_ name: String, to value: String) throws(Refusal) {
    if name == "seed" {
      guard let number = UInt64(value) else {
        let expectation = "a whole number, 0 or more"
        throw Refusal(name: name, expectation: expectation, complaint: "expected \(expectation); found '\(value)'")
      }
      seed = number
      return
    }
    guard let setting = Setting.named(name) else {
      throw Refusal(name: name)
    }
    guard setting.set(&tracker, value) else {
      throw Refusal(name: name, expectation: setting.expectation, complaint: setting.complaint(about: value))
    }
  }

  /// All settings, one `name=value` a line, as a log holds them.
  public var text: String {
    var lines = Setting.all.map { "\($0.name)=\($0.text(tracker))" }
    lines.append("seed=\(seed)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the text of a log.
  ///
  /// Settings that are missing keep their defaults, so that logs of older versions still replay.
  ///
  /// - Throws: At the first line that is no setting of this version.
  public init(text: String) throws(Refusal) {
    for line in text.split(separator: "\n") {
      guard let mark = line.firstIndex(of: "=") else { throw Refusal(name: String(line)) }
      try set(String(line[..<mark]), to: String(line[line.index(after: mark)...]))
    }
  }
}

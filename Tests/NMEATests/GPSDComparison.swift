import Foundation
import Quantities

/// What one program reports of one epoch, by gpsd's names.
struct TPVReport {
  var time: String
  var values: [String: Double]

  /// A report from a line of JSON; nil for other objects. `time` is empty when there is none.
  init?(line: Data) {
    guard let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any],
      object["class"] as? String == "TPV"
    else { return nil }
    time = object["time"] as? String ?? ""
    values = [:]
    for (name, value) in object { if let number = value as? NSNumber { values[name] = number.doubleValue } }
  }

  /// Milliseconds within 1024 weeks: gpsd takes dates before its own build for week rollovers and moves them on.
  var key: Int? {
    let parts = time.split { !$0.isNumber }.compactMap { Int($0) }
    guard parts.count == 7, let date = CivilDate(year: parts[0], month: parts[1], day: parts[2]) else { return nil }
    let seconds = date.daysSince1970 * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5]
    return seconds % 619_315_200 * 1000 + parts[6]
  }
}

/// The comparison of one log with gpsd, epoch by epoch: the last report of each time counts.
struct GPSDComparison {
  /// The fields that are compared, and how far apart two printed values may be: one unit of the last digit gpsd prints.
  static let fields: [(name: String, title: String, tolerance: Double)] = [
    ("mode", "mode", 0), ("time", "time", 0), ("lat", "lat", 1.01e-9), ("lon", "lon", 1.01e-9),
    ("altMSL", "alt", 1.01e-4), ("speed", "speed", 1.01e-3), ("track", "track", 1.01e-4),
  ]

  var name: String
  var receiver: String
  var epochCount = 0
  var agreements: [String: Int] = [:]
  /// Values that are equal but for one unit of the last digit.
  var lastDigitCount = 0
  /// Reports of ours at times that gpsd does not have.
  var extraCount = 0
  /// Ellipsoidal heights that gpsd works out from its table of the geoid, which we leave unknown.
  var modelledHeightCount = 0
  var ellipsoidHeightDifferenceCount = 0

  var isPerfect: Bool {
    GPSDComparison.fields.allSatisfy { (agreements[$0.name] ?? 0) == epochCount } && extraCount == 0
  }

  init(name: String, receiver: String, ours: String, theirs: Data) {
    self.name = name
    self.receiver = receiver
    let our = GPSDComparison.lastReports(Data(ours.utf8))
    let their = GPSDComparison.lastReports(theirs)
    epochCount = their.count
    extraCount = our.keys.filter { their[$0] == nil }.count
    for (key, expected) in their {
      // An epoch that only the day tells apart is compared by its time of day; the time then disagrees.
      let sameTimeOfDay = our.first { $0.key % 86_400_000 == key % 86_400_000 && their[$0.key] == nil }
      guard let found = our[key] ?? sameTimeOfDay?.value else { continue }
      for field in GPSDComparison.fields {
        if field.name == "time" {
          agreements["time", default: 0] += our[key] == nil ? 0 : 1
          continue
        }
        switch (found.values[field.name], expected.values[field.name]) {
        case (nil, nil): agreements[field.name, default: 0] += 1
        case (let a?, let b?) where abs(a - b) <= field.tolerance:
          agreements[field.name, default: 0] += 1
          if a != b { lastDigitCount += 1 }
        default: break
        }
      }
      switch (found.values["altHAE"], expected.values["altHAE"]) {
      case (nil, nil): break
      case (nil, _?): modelledHeightCount += 1
      case (let a?, let b?) where abs(a - b) <= 1.01e-4: break
      default: ellipsoidHeightDifferenceCount += 1
      }
    }
  }

  static func lastReports(_ data: Data) -> [Int: TPVReport] {
    var reports: [Int: TPVReport] = [:]
    for line in data.split(separator: 0x0A) where line.starts(with: Array("{\"class\":\"TPV\"".utf8)) {
      if let report = TPVReport(line: Data(line)), let key = report.key { reports[key] = report }
    }
    return reports
  }

  /// The receiver's name from the comments at the top of a log.
  static func receiverName(_ log: Data) -> String {
    let text = String(decoding: log.prefix(4000), as: UTF8.self)
    for tag in ["# Name: ", "# Chipset: "] {
      for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix(tag) {
        return String(line.dropFirst(tag.count)).trimmingCharacters(in: .whitespaces)
          .replacingOccurrences(of: "|", with: "/")
      }
    }
    return ""
  }

  /// A row of the table in `docs/nmea.md`.
  func row(remark: String) -> String {
    let cells = GPSDComparison.fields.map { field -> String in
      if epochCount == 0 { return "–" }
      let count = agreements[field.name] ?? 0
      return count == epochCount ? "100 %" : "\(count)/\(epochCount)"
    }
    return "| \(name) | \(receiver) | \(epochCount) | \(cells.joined(separator: " | ")) | \(remark) |"
  }

  /// What the numbers alone can say; reasons are added by hand.
  var ownRemark: String {
    var parts: [String] = []
    if epochCount == 0 { parts.append("gpsd never gives a time") }
    if lastDigitCount > 0 { parts.append("\(lastDigitCount) values differ in the last digit") }
    if modelledHeightCount > 0 { parts.append("\(modelledHeightCount) heights above the ellipsoid from gpsd's geoid") }
    return parts.joined(separator: "; ")
  }
}

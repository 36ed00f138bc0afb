import Glibc

/// Finding the devices that a user's name means.
enum IndustrialIOSearch {
  /// The one or two devices that are meant by `iio:device0`, `0`, the name of a part, or the beginning of the names of an
  /// accelerometer and a gyroscope of one part, as `lsm6dso` for `lsm6dso_accel` and `lsm6dso_gyro`.
  ///
  /// - Throws: One failure with the devices there are, the nearest first.
  static func devices(named wanted: String, root: String) throws(DeviceFailure) -> [IndustrialIOFiles] {
    let all = IndustrialIOFiles.all(root: root).filter { $0.hasAxes("accel") || $0.hasAxes("anglvel") }
    if let device = all.first(where: { $0.node == wanted || "\($0.number)" == wanted }) { return [device] }
    let same = all.filter { $0.name == wanted }
    if same.count == 1 { return same }
    if same.count > 1 { throw ambiguous(wanted, same) }
    let parts = all.filter { $0.name.hasPrefix("\(wanted)_") || $0.name.hasPrefix("\(wanted)-") }
    let forces = parts.filter { $0.hasAxes("accel") }
    let rates = parts.filter { $0.hasAxes("anglvel") && !$0.hasAxes("accel") }
    if forces.count > 1 || rates.count > 1 { throw ambiguous(wanted, parts) }
    if !parts.isEmpty { return forces + rates }
    throw missing(wanted, all, root: root)
  }

  private static func ambiguous(_ wanted: String, _ devices: [IndustrialIOFiles]) -> DeviceFailure {
    DeviceFailure(
      .open, wanted,
      .explained("matches more than one IIO device: use one of \(devices.map(\.node).joined(separator: ", "))"))
  }

  private static func missing(_ wanted: String, _ all: [IndustrialIOFiles], root: String) -> DeviceFailure {
    guard !all.isEmpty else {
      return DeviceFailure(
        .open, wanted, errorNumber: ENOENT,
        .explained(
          "no such IIO device, and no other device has a buffer: is the driver loaded and the overlay enabled?"
        ))
    }
    let ranked = all.map { (device: $0, distance: editDistance($0.name, wanted)) }.enumerated()
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map { "\($0.element.device.name) (\($0.element.device.node))" }
    return DeviceFailure(
      .open, wanted, errorNumber: ENOENT,
      .explained("no such IIO device; there are: \(ranked.joined(separator: ", "))"))
  }
}

/// How many letters must be changed, left out or put in to make one word of the other.
private func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.utf8)
  let b = Array(b.utf8)
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let change = diagonal + (letter == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}

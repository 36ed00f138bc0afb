import Glibc

/// The files of an IIO device below a root folder.
struct IndustrialIOFiles {
  /// Where `sys` and `dev` are: `/` in the field.
  let root: String
  /// As in `iio:device0`.
  let node: String

  private var base: String { root.hasSuffix("/") ? root : root + "/" }
  /// The folder of its attributes.
  var folder: String { "\(base)sys/bus/iio/devices/\(node)" }
  /// The device that frames are read from.
  var device: String { "\(base)dev/\(node)" }

  init(root: String, node: String) {
    self.root = root
    self.node = node
  }

  /// The number of the device.
  var number: Int { Int(node.drop { !$0.isNumber }) ?? 0 }

  /// What the part is called; empty when it has no name.
  var name: String { read("name") ?? "" }

  /// The text of an attribute without its newline; nil when there is none.
  func read(_ attribute: String) -> String? {
    guard let text = contents(of: "\(folder)/\(attribute)", limit: 4096) else { return nil }
    return text.split(separator: "\n", omittingEmptySubsequences: false).first.map(trimmed) ?? ""
  }

  /// A number in an attribute.
  func number(_ attribute: String) -> Double? { read(attribute).flatMap { Double($0) } }

  /// True when there is such an attribute.
  func has(_ attribute: String) -> Bool { access("\(folder)/\(attribute)", F_OK) == 0 }

  /// The names in a folder of attributes, sorted.
  func names(in part: String = "") -> [String] { fileNames(in: part.isEmpty ? folder : "\(folder)/\(part)").sorted() }

  /// Changes an attribute, unless it says the same already.
  func write(_ attribute: String, _ text: String) throws(DeviceFailure) {
    if read(attribute) == text { return }
    let path = "\(folder)/\(attribute)"
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw DeviceFailure.attribute(.write, path, errno) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw DeviceFailure.attribute(.write, path, errno)
    }
  }

  /// All devices below a root, by number.
  static func all(root: String) -> [IndustrialIOFiles] {
    let base = root.hasSuffix("/") ? root : root + "/"
    return fileNames(in: "\(base)sys/bus/iio/devices").filter { $0.hasPrefix("iio:device") }
      .map { IndustrialIOFiles(root: root, node: $0) }.sorted { ($0.number, $0.node) < ($1.number, $1.node) }
  }

  /// The triggers below a root, by name.
  static func triggers(root: String) -> [String] {
    let base = root.hasSuffix("/") ? root : root + "/"
    return fileNames(in: "\(base)sys/bus/iio/devices").filter { $0.hasPrefix("trigger") }
      .compactMap { IndustrialIOFiles(root: root, node: $0).read("name") }.sorted()
  }

  /// True when the device has buffered axes of that kind: `accel`, `anglvel`, `magn`.
  func hasAxes(_ kind: String) -> Bool { has("\(scanFolder)/in_\(kind)_x_en") }

  /// Newer kernels have the elements in `buffer0` too.
  var scanFolder: String { has("scan_elements") ? "scan_elements" : "buffer0" }
  /// The folder with `enable` and `length`.
  var bufferFolder: String { has("buffer") ? "buffer" : "buffer0" }
}

extension DeviceFailure {
  /// A failure at an attribute of a device, with what helps.
  static func attribute(_ operation: Operation, _ path: String, _ number: Int32) -> DeviceFailure {
    switch number {
    case EACCES, EPERM:
      DeviceFailure(
        operation, path, errorNumber: number,
        .explained("no permission to \(operation.rawValue) it: install the udev rule, or run as root"))
    case ENODEV, ENXIO: DeviceFailure(operation, path, errorNumber: number, .unplugged)
    case EBUSY:
      DeviceFailure(
        operation, path, errorNumber: number, .explained("busy: another program uses this sensor; stop it"))
    default: DeviceFailure(operation, path, errorNumber: number, .other)
    }
  }
}

/// Text without blanks at its ends.
func trimmed(_ text: some StringProtocol) -> String {
  var rest = text[...]
  while let first = rest.first, first.isWhitespace { rest.removeFirst() }
  while let last = rest.last, last.isWhitespace { rest.removeLast() }
  return String(rest)
}

import Glibc

/// A process that has a port open.
public struct PortHolder: Equatable, Sendable {
  /// Its number.
  public var process: Int32
  /// Its name as the kernel keeps it, 15 bytes at most.
  public var name: String

  /// A process with its name.
  public init(process: Int32, name: String) {
    self.process = process
    self.name = name
  }

  /// As in "minicom (process 812)".
  public var text: String { "\(name) (process \(process))" }

  /// Who has the device open, as far as `/proc` lets this user see: everybody's processes for root, else the own ones.
  ///
  /// - Complexity: One `readlink` per open file of the machine.
  public static func holders(of path: String) -> [PortHolder] {
    let target = resolved(path) ?? path
    var holders: [PortHolder] = []
    for entry in fileNames(in: "/proc") {
      guard let process = Int32(entry), process != getpid() else { continue }
      let folder = "/proc/\(entry)/fd"
      guard fileNames(in: folder).contains(where: { linkTarget("\(folder)/\($0)") == target }) else { continue }
      holders.append(PortHolder(process: process, name: name(of: process)))
    }
    return holders
  }

  /// The process named by the lock file that minicom, pppd and gammu make for a port; nil when there is none alive.
  ///
  /// These programs do not lock the device itself.
  static func lockFileHolder(of path: String) -> PortHolder? {
    guard let device = (resolved(path) ?? path).split(separator: "/").last,
      let text = contents(of: "/var/lock/LCK..\(device)", limit: 64),
      let process = Int32(text.split(whereSeparator: \.isWhitespace).first ?? ""), process > 0, process != getpid(),
      kill(process, 0) == 0 || errno == EPERM
    else { return nil }
    return PortHolder(process: process, name: name(of: process))
  }

  private static func name(of process: Int32) -> String {
    contents(of: "/proc/\(process)/comm", limit: 64)?.split(separator: "\n").first.map(String.init) ?? "a program"
  }
}

/// Names in a folder; none when it can't be read.
func fileNames(in folder: String) -> [String] {
  guard let stream = opendir(folder) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// What a symbolic link says; nil when the path is none.
func linkTarget(_ path: String) -> String? {
  var buffer = [UInt8](repeating: 0, count: 4096)
  let count = buffer.withUnsafeMutableBytes { bytes in
    bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { readlink(path, $0, 4096) } ?? -1 }
  }
  return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
}

/// The path without links; nil when there is nothing.
func resolved(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// The beginning of a small file; nil when it can't be read.
func contents(of path: String, limit: Int) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var buffer = [UInt8](repeating: 0, count: limit)
  let count = read(descriptor, &buffer, limit)
  return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
}

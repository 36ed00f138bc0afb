import Glibc
import Recording

/// The options of `leash fuse`, checked.
struct FusionOptions {
  /// What to score against.
  enum Reference: Equatable {
    /// The columns of the input.
    case columns
    /// Another file.
    case file(String)
  }

  /// The recording.
  var input: String
  /// Where the rows go; `-` is standard output.
  var output: String?
  /// Where the picture goes.
  var plot: String?
  /// What to score against.
  var reference: Reference?
  /// The mode asked for; nil to take what the recording allows.
  var mode: FusionMode?
  /// JSON Lines in place of CSV.
  var isJSON: Bool

  init(_ arguments: Arguments) throws(CommandFailure) {
    input = arguments[FuseCommand.input][0]
    output = arguments[FuseCommand.output]
    plot = arguments[FuseCommand.plot]
    mode = arguments[FuseCommand.mode]
    isJSON = arguments[FuseCommand.json]
    if let text = arguments[FuseCommand.reference] {
      reference = text == FuseCommand.ownColumns ? .columns : .file(text)
    }
    guard output != nil || plot != nil || reference != nil else {
      throw .usage("option '--output' is missing: give a file, or '-' for standard output")
    }
    guard plot != "-" else { throw .usage("option '--plot': a picture is written to a file, not to standard output") }
    if input == "-", reference == .file("-") {
      throw .usage("option '--reference': standard input is the recording already")
    }
    var reads = [input]
    if case .file(let path) = reference { reads.append(path) }
    for (name, path) in [("--output", output), ("--plot", plot)] {
      guard let path, path != "-" else { continue }
      for read in reads where FusionOptions.writes(path, into: read) {
        throw .usage("option '\(name)': '\(path)' is the recording '\(read)' itself, which would be lost")
      }
    }
    if let output, let plot, FusionOptions.isSame(output, plot) {
      throw .usage("option '--plot': '\(plot)' is the file of '--output'")
    }
  }

  /// True when writing `path` would change what is read from `source`: the file itself, or one in the folder.
  private static func writes(_ path: String, into source: String) -> Bool {
    guard source != "-", let target = fileIdentity(path) else { return false }
    if target == fileIdentity(source) { return true }
    var status = stat()
    guard stat(source, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let directory = opendir(source) else {
      return false
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        bytes.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if fileIdentity(source + "/" + name) == target { return true }
    }
    return false
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    if a == b || fileIdentity(a).map({ $0 == fileIdentity(b) }) ?? false { return true }
    // Neither may exist yet: the same name in the same folder.
    return place(a).map { $0 == place(b) } ?? false
  }

  /// The path with its folder resolved; nil when there is no such folder.
  private static func place(_ path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let folder = path.contains("/") ? String(path.dropLast(name.count)) : "."
    guard let resolved = realpath(folder, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved) + "/" + name
  }
}

import Glibc
import Quantities
import Recording
import SkippedTests
import TrackerCore

/// The folder with recordings that are not part of the package, or nil, noted as skipped, where there is none.
///
/// The environment variable `LEASH_DATA` names it; without, it is looked for at `../shared/data` beside the package.
package func recordedDataFolder(_ name: String) -> String? { outsideRecordings(name) }

/// Every input of a recording in its order.
package func recordedInputs(_ path: String) throws -> [TrackerInput] {
  let importer = try openRecording(path)
  var inputs: [TrackerInput] = []
  while let input = try importer.next() { inputs.append(input) }
  return inputs
}

/// The inertial samples of a recording.
package func recordedSamples(_ path: String) throws -> [InertialSample] {
  try recordedInputs(path).compactMap {
    if case .inertial(let sample) = $0 { return sample }
    return nil
  }
}

/// The fixes of a recording.
package func recordedFixes(_ path: String) throws -> [GNSSFix] {
  try recordedInputs(path).compactMap {
    if case .fix(let fix) = $0 { return fix }
    return nil
  }
}

/// Names of the files in a folder that end so, sorted.
package func fileNames(in folder: String, endingWith suffix: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(suffix) { names.append(name) }
  }
  return names.sorted()
}

/// The lines of a small text file, split at commas; the first line names the columns. nil when it can't be read.
package func csvRows(_ path: String) -> [[String: String]]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { break }
    bytes.append(contentsOf: chunk[..<count])
  }
  let text = String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self)
  let lines = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  guard let header = lines.first else { return [] }
  return lines.dropFirst().map { cells in
    Dictionary(zip(header.map(String.init), cells.map(String.init)), uniquingKeysWith: { first, _ in first })
  }
}

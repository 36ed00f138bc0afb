import FirmwareUpdate
import Glibc

/// A file with an image as boards take it: its header, then its bytes.
struct FirmwareFile {
  var header: FirmwareHeader
  var content: [UInt8]

  /// Reads one; what its header says is not checked.
  init(path: String) throws(CommandFailure) {
    let bytes = try smallBytes(of: path)
    guard bytes.count > FirmwareHeader.size else {
      throw .environment("\(path): \(bytes.count) bytes; expected a signed image, which begins with a header of 192")
    }
    do throws(UpdateRefusal) {
      header = try FirmwareHeader(bytes.span.extracting(0..<FirmwareHeader.size))
    } catch {
      throw .environment("\(path): no signed image, or its header is damaged; 'leash firmware sign' makes one")
    }
    content = Array(bytes[FirmwareHeader.size...])
  }

  init(header: FirmwareHeader, content: [UInt8]) {
    self.header = header
    self.content = content
  }

  /// The same as it lies in a slot of a new board: whole and confirmed.
  var slotBytes: [UInt8] {
    var bytes = headerBytes + [UInt8](repeating: 0xFF, count: ImageSlots.imageStart - FirmwareHeader.size)
    for mark in [SlotMark.whole, .confirmed] {
      let start = FirmwareHeader.size + mark.cells.lowerBound * SlotMark.cellSize
      for place in start..<start + SlotMark.cellSize { bytes[place] = mark.byte }
    }
    return bytes + content
  }

  var fileBytes: [UInt8] { headerBytes + content }

  private var headerBytes: [UInt8] { (0..<FirmwareHeader.size).map { header.bytes[$0] } }

  /// Writes bytes to a file.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    guard let file = fopen(path, "wbe") else {
      throw .environment("\(path): can't write: \(String(cString: strerror(errno)))")
    }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten else {
      throw .environment("\(path): can't write: \(String(cString: strerror(errno)))")
    }
  }
}

/// A version as text: `1.2.3`.
struct VersionText: ArgumentValue, Sendable, CustomStringConvertible {
  static let expectation = "a version such as 1.2.3, of numbers up to 255.255.65535"

  var version: FirmwareVersion

  init(_ version: FirmwareVersion) { self.version = version }

  init?(argument: String) {
    let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let major = UInt8(parts[0]), let minor = UInt8(parts[1]), let patch = UInt16(parts[2])
    else { return nil }
    version = FirmwareVersion(major, minor, patch)
  }

  var description: String { "\(version.major).\(version.minor).\(version.patch)" }
}

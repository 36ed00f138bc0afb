import Foundation

/// An image as the linker leaves it, an ELF file for a 32-bit processor: what is in flash of it, and where.
///
/// - Source: Tool Interface Standard, Executable and Linking Format, version 1.2, book I: header, sections and program header.
struct LinkedImage: Equatable {
  /// The address of its first byte.
  var place: UInt32
  var bytes: [UInt8]

  init(path: String) throws(CommandFailure) { try self.init(smallBytes(of: path), path: path) }

  init(_ file: [UInt8], path: String) throws(CommandFailure) {
    func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= file.count else { return nil }
      return (0..<count).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) }
    }
    /// A word of each entry of a table whose place, size of an entry and count stand in the header.
    func table(_ start: Int, _ size: Int, _ count: Int) throws(CommandFailure) -> [[Int]] {
      guard let start = number(start, 4), let size = number(size, 2), let count = number(count, 2) else {
        throw .environment("\(path): the ELF file is cut")
      }
      var rows: [[Int]] = []
      for index in 0..<count {
        let words = (0..<8).compactMap { number(start + index * size + 4 * $0, 4) }
        guard words.count == 8, start + (index + 1) * size <= file.count else {
          throw .environment("\(path): the ELF file is cut")
        }
        rows.append(words)
      }
      return rows
    }
    guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 1, 1]) else {
      throw .environment("\(path): expected an ELF file of a 32-bit processor, as a linker writes it")
    }
    // PT_LOAD: offset in the file, address in flash, bytes. It may begin with the header of the file, which is no part of the image.
    let segments = try table(28, 42, 44).filter { $0[0] == 1 && $0[4] > 0 }
    var pieces: [(place: Int, from: Int, count: Int)] = []
    for section in try table(32, 46, 48) {
      let (type, start, count) = (section[1], section[4], section[5])
      // SHF_ALLOC, and not SHT_NOBITS, which is only cleared.
      guard section[2] & 2 != 0, type != 8, count > 0,
        let segment = segments.first(where: { start >= $0[1] && start + count <= $0[1] + $0[4] })
      else { continue }
      guard start + count <= file.count else { throw .environment("\(path): the ELF file is cut") }
      pieces.append((segment[3] + start - segment[1], start, count))
    }
    pieces.sort { $0.place < $1.place }
    guard let first = pieces.first, let end = pieces.map({ $0.place + $0.count }).max() else {
      throw .environment("\(path): nothing is loaded of this ELF file")
    }
    let length = end - first.place
    guard length <= 16 << 20 else {
      throw .environment("\(path): its parts lie \(length) bytes apart; expected an image that lies in one memory")
    }
    bytes = [UInt8](repeating: 0xFF, count: length)
    for piece in pieces {
      bytes.replaceSubrange(
        piece.place - first.place..<piece.place - first.place + piece.count,
        with: file[piece.from..<piece.from + piece.count])
    }
    place = UInt32(truncatingIfNeeded: first.place)
    // The second word of the vectors is where a Cortex-M begins to run.
    guard bytes.count >= 8 else { throw .environment("\(path): \(bytes.count) bytes are no image") }
    let reset = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) } & ~1
    guard reset >= first.place, reset < first.place + length else {
      throw .environment(
        "\(path): no vector table at its begin: the reset vector \(LinkedImage.hexadecimal(reset)) is outside of it")
    }
  }

  /// `0x08000000`.
  static func hexadecimal(_ number: Int) -> String {
    "0x" + String(repeating: "0", count: max(0, 8 - String(number, radix: 16).count))
      + String(number, radix: 16, uppercase: true)
  }
}

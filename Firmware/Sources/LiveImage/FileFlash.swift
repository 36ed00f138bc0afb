import FlashStorage
import InlineStorage

/// A file of the debugger in the place of a flash memory, with the rules of one: programming clears bits, erasing sets those of a block.
///
/// What is in the file stays when the emulator is killed, as what is in a flash memory does when the power goes.
struct FileFlash: FlashMemory, ~Copyable {
  private let file: Debugger.File
  let geometry: FlashGeometry

  /// A file that holds a memory; nil when its size is not that of a whole number of blocks.
  init?(_ file: Debugger.File) {
    self.file = file
    let length = file.length
    let block = FlashGeometry.serialNOR(blockCount: 1).blockSize
    guard length > 0, length % block == 0 else { return nil }
    geometry = .serialNOR(blockCount: length / block)
  }

  mutating func read(_ place: Int, _ count: Int, into bytes: inout FlashBuffer) -> Bool {
    var piece = InlineArray<64, UInt8>(repeating: 0)
    var done = 0
    guard file.seek(place) else { return false }
    while done < count {
      let length = min(64, count - done)
      let got = withUnsafeMutablePointer(to: &piece) { start in
        start.withMemoryRebound(to: UInt8.self, capacity: 64) { file.read(into: $0, length) }
      }
      guard got == length else { return false }
      for index in 0..<length { bytes.append(piece[index]) }
      done += length
    }
    return true
  }

  mutating func program(_ bytes: Span<UInt8>, at place: Int) -> Bool {
    var found = FlashBuffer()
    guard read(place, bytes.count, into: &found) else { return false }
    for index in bytes.indices where found[index] & bytes[index] != bytes[index] { return false }
    return file.seek(place)
      && bytes.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { file.write($0, bytes.count) } ?? true }
  }

  mutating func erase(_ block: Int) -> Bool {
    let blank = InlineArray<64, UInt8>(repeating: 0xFF)
    guard file.seek(block * geometry.blockSize) else { return false }
    for _ in 0..<geometry.blockSize / 64 {
      let isWritten = withUnsafePointer(to: blank) { start in
        start.withMemoryRebound(to: UInt8.self, capacity: 64) { file.write($0, 64) }
      }
      guard isWritten else { return false }
    }
    return true
  }
}

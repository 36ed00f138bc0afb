import FirmwareUpdate
import FlashStorage

/// The slots of images in the code memory: 256 KiB for the start image, then twice 768 KiB.
///
/// The emulator loads its memory anew at each reset, and this board has no flash that keeps: a file of the debugger has what is in
/// flash, from the address 0 on, and the start image copies the image that it starts to its place.
extension Board {
  /// As headers name it.
  static var name: StaticString { "mps2-an386" }

  static var slots: ImageSlots {
    ImageSlots(base: 0, geometry: .serialNOR(blockCount: 448), firstA: 64, firstB: 256, blockCount: 192)
  }
}

/// The file that the fifth argument of the debugger names; nil when there is none.
@inline(never) func openSlots() -> Debugger.File? {
  var text = InlineArray<256, UInt8>(repeating: 0)
  let count = withUnsafeMutablePointer(to: &text) { place in
    place.withMemoryRebound(to: UInt8.self, capacity: 256) { Debugger.arguments(into: $0, 256) }
  }
  var start = 0
  var words = 0
  for place in 0..<count where text[place] == 0x20 {
    words += 1
    if words == 4 { start = place + 1 }
  }
  guard words == 4, start > 0 else { return nil }
  return withUnsafeMutablePointer(to: &text) { place in
    place.withMemoryRebound(to: UInt8.self, capacity: 256) {
      Debugger.File(name: $0 + start, count: count - start, .change)
    }
  }
}

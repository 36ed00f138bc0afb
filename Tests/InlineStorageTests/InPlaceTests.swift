import InlineStorage
import Testing

@Test func storageInPlaceTakesNoMemoryButItsRoom() {
  struct Kept: ~Copyable {
    var value: UInt64 = 1
    let inPlace = InPlace()
  }
  #expect(MemoryLayout<Kept>.size == 8)
  #expect(MemoryLayout<InlineVector<32, UInt64>>.size == 32 * 8 + 4 + 4)
  #expect(MemoryLayout<InlineQueue<32, UInt64>>.size == 32 * 8 + 4 + 4 + 4)
}

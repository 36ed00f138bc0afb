import InlineStorage
import Positioning
import Quantities
import Telemetry

// What is kept of the wheel, behind the ride.
extension WheelMeter.Kept {
  /// - Parameter end: Where the section ends: what may have been ridden is not in earlier ones.
  init(_ bytes: Span<UInt8>, _ reader: inout RecordReader, end: Int) {
    self.init()
    known.metres = reader.noise(bytes) ?? 0
    known.deviation = reader.noise(bytes) ?? 1
    known.given = reader.noise(bytes) ?? 0
    known.candidate = reader.noise(bytes) ?? 0
    carried = reader.noise(bytes) ?? 0
    counted = reader.distance(bytes)
    doubt = reader.distance(bytes)
    isDoubted = reader.flag(bytes)
    isCarried = reader.flag(bytes)
    stillRides = reader.byte(bytes)
    if reader.place < end { unproven = reader.noise(bytes) ?? 0 }
  }

  func encode(into content: inout SectionContent) {
    content.append(noise: known.metres)
    content.append(noise: known.deviation)
    content.append(noise: known.given)
    content.append(noise: known.candidate)
    content.append(noise: carried)
    content.append(distance: counted)
    content.append(distance: doubt)
    content.append(isDoubted ? 1 : 0)
    content.append(isCarried ? 1 : 0)
    content.append(stillRides)
    content.append(noise: unproven)
  }
}

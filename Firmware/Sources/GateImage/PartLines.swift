import PartMemory

/// A line for each part of the core: what it takes of a tracker's memory.
func writeParts() {
  var place: UInt8 = 0
  while let part = PartMemory(rawValue: place) {
    write("part ")
    write(decimal: UInt32(truncatingIfNeeded: part.bytes))
    write(" ")
    write(part.name)
    write("\n")
    place += 1
  }
}

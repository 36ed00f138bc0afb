/// How far things reach in a JSON5 text that is known to be right.
enum JSON5Extent {
  /// Where a value ends that begins at a place.
  static func end(of bytes: [UInt8], from start: Int) -> Int {
    var place = start
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case 0x22, 0x27: place = endOfText(bytes, from: place)
      case 0x2F: place = skipComment(bytes, from: place)
      case 0x7B, 0x5B:
        depth += 1
        place += 1
      case 0x7D, 0x5D:
        // What closes the object around it is none of a bare word.
        guard depth > 0 else { return place }
        depth -= 1
        place += 1
      default:
        if depth == 0, bytes[place] == 0x2C || bytes[place] <= 0x20 { return place }
        place += 1
      }
      if depth == 0, [0x22, 0x27, 0x7B, 0x5B].contains(bytes[start]) { return place }
      if depth == 0, place < bytes.count, bytes[place] == 0x2F { return place }
    }
    return place
  }

  /// The next place without a blank or a comment.
  static func skipBlank(_ bytes: [UInt8], from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      if bytes[place] <= 0x20 {
        place += 1
      } else if bytes[place] == 0x2F {
        place = skipComment(bytes, from: place)
      } else {
        break
      }
    }
    return place
  }

  private static func endOfText(_ bytes: [UInt8], from start: Int) -> Int {
    var place = start + 1
    while place < bytes.count, bytes[place] != bytes[start] { place += bytes[place] == 0x5C ? 2 : 1 }
    return min(bytes.count, place + 1)
  }

  private static func skipComment(_ bytes: [UInt8], from start: Int) -> Int {
    var place = start + 2
    if start + 1 < bytes.count, bytes[start + 1] == 0x2A {
      while place + 1 < bytes.count, bytes[place] != 0x2A || bytes[place + 1] != 0x2F { place += 1 }
      return min(bytes.count, place + 2)
    }
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
    return place
  }
}

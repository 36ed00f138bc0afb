/// The type of one scan element, as its `_type` file says: `le:s16/16>>0`.
///
/// - Source: [iio-abi] scan_elements: `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`
struct ScanType: Equatable {
  var isBigEndian = false
  var isSigned = true
  /// Bits that count.
  var bits = 16
  /// Bits that are stored, a multiple of 8.
  var storageBits = 16
  /// How many values follow each other.
  var repetitions = 1
  /// How far the value lies above bit 0.
  var shift = 0

  /// From the text of a `_type` file; nil when it is none.
  init?(_ text: some StringProtocol) {
    let text = text.split(whereSeparator: \.isWhitespace).joined()
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "le" || parts[0] == "be", let sign = parts[1].first, sign == "s" || sign == "u"
    else { return nil }
    isBigEndian = parts[0] == "be"
    isSigned = sign == "s"
    let sizes = parts[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard sizes.count == 2, let bits = Int(sizes[0]) else { return nil }
    var storage = sizes[1]
    if let mark = storage.firstRange(of: ">>") {
      guard let shift = Int(storage[mark.upperBound...]) else { return nil }
      self.shift = shift
      storage = storage[..<mark.lowerBound]
    }
    if let mark = storage.firstIndex(of: "X") {
      guard let count = Int(storage[storage.index(after: mark)...]) else { return nil }
      repetitions = count
      storage = storage[..<mark]
    }
    guard let storageBits = Int(storage), [8, 16, 32, 64].contains(storageBits), 1...storageBits ~= bits,
      0..<storageBits ~= shift, bits + shift <= storageBits, 1...64 ~= repetitions
    else { return nil }
    self.bits = bits
    self.storageBits = storageBits
  }

  /// Bytes it takes in a frame.
  var byteCount: Int { storageBits / 8 * repetitions }

  /// The number at the beginning of its bytes.
  func value(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var raw: UInt64 = 0
    let stored = bytes.prefix(storageBits / 8)
    if isBigEndian {
      for byte in stored { raw = raw << 8 | UInt64(byte) }
    } else {
      for byte in stored.reversed() { raw = raw << 8 | UInt64(byte) }
    }
    raw >>= UInt64(shift)
    let unused = UInt64(64 - bits)
    return isSigned ? Int64(bitPattern: raw << unused) >> Int64(unused) : Int64(bitPattern: (raw << unused) >> unused)
  }
}

/// Where the enabled scan elements lie in a frame.
///
/// As the kernel packs them: in the order of their index, each at the next multiple of its own size, the frame as long as a
/// multiple of its largest element.
///
/// - Source: [iio-buffers] "Scan elements are aligned to their own size"; our derivation for the frame's length.
struct ScanLayout: Equatable {
  /// An element with its place in the frame.
  struct Element: Equatable {
    /// As in `accel_x` or `timestamp`.
    var name: String
    var type: ScanType
    var offset: Int
  }

  private(set) var elements: [Element] = []
  /// Bytes per frame.
  private(set) var frameLength = 0

  /// From the enabled elements in any order.
  init(_ enabled: [(name: String, index: Int, type: ScanType)]) {
    var offset = 0
    var largest = 1
    for element in enabled.sorted(by: { $0.index < $1.index }) {
      let length = Self.powerOfTwo(atLeast: element.type.byteCount)
      offset = (offset + length - 1) / length * length
      elements.append(Element(name: element.name, type: element.type, offset: offset))
      offset += element.type.byteCount
      largest = max(largest, length)
    }
    frameLength = (offset + largest - 1) / largest * largest
  }

  /// The element of that name.
  func element(_ name: String) -> Element? { elements.first { $0.name == name } }

  /// Sizes are powers of two, but for repeated elements, which newer kernels align to the next one.
  private static func powerOfTwo(atLeast count: Int) -> Int {
    var size = 1
    while size < count { size *= 2 }
    return size
  }
}

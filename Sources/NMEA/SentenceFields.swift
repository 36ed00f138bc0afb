/// The fields of one framed sentence, where they lie in the received bytes. Nothing is copied.
///
/// Field 0 is the address (`GPRMC`), field 1 the first after it, as the manuals count. Reading a field that is not there
/// gives the same as reading an empty one: receivers of older versions simply end their sentences earlier.
///
/// A field that is there but makes no sense reads as unknown and is remembered in `malformedField`, so that one odd
/// field does not cost the position beside it.
@frozen public struct SentenceFields: ~Copyable {
  /// The most fields that are told apart; later ones are counted in `isTruncated` and dropped.
  @inlinable public static var capacity: Int { 48 }

  @usableFromInline let base: UnsafePointer<UInt8>
  @usableFromInline let ends: UnsafeMutablePointer<UInt8>
  @usableFromInline var used: Int
  /// Number of the first field that could not be read, 0 when all could.
  public var malformedField: UInt8
  /// True when the sentence had more fields than fit.
  public var isTruncated: Bool
  /// How the sentence ended.
  public var hasChecksum: Bool

  /// - Parameters:
  ///   - base: The byte after `$` or `!`; must stay valid as long as the value lives.
  ///   - ends: Room for `capacity` bytes, valid as long.
  @inlinable @inline(__always) init(base: UnsafePointer<UInt8>, ends: UnsafeMutablePointer<UInt8>) {
    self.base = base
    self.ends = ends
    used = 0
    malformedField = 0
    isTruncated = false
    hasChecksum = false
  }

  /// Number of fields, the address included.
  @inlinable public var count: Int { used }

  /// Closes a field at an offset from the start of the address.
  @inlinable @inline(__always) mutating func appendEnd(_ offset: Int) {
    if used < SentenceFields.capacity {
      ends[used] = UInt8(truncatingIfNeeded: offset)
      used &+= 1
    } else {
      isTruncated = true
    }
  }

  @inlinable @inline(__always) func startOffset(_ field: Int) -> Int {
    field == 0 ? 0 : Int(ends[field &- 1]) &+ 1
  }

  @inlinable @inline(__always) func endOffset(_ field: Int) -> Int { Int(ends[field]) }

  /// Length of a field in bytes, 0 when it is empty or missing.
  @inlinable public func length(of field: Int) -> Int {
    guard field >= 0, field < used else { return 0 }
    return endOffset(field) &- startOffset(field)
  }

  /// Number of bytes of the whole sentence from the address to before the checksum.
  @inlinable public var bodyLength: Int { used == 0 ? 0 : endOffset(used &- 1) }

  /// One byte of a field; 0 when there is no such place.
  @inlinable public func byte(_ place: Int, of field: Int) -> UInt8 {
    guard place >= 0, place < length(of: field) else { return 0 }
    return base[startOffset(field) &+ place]
  }

  /// The first byte of a field; 0 when it is empty or missing.
  @inlinable @inline(__always) public func character(_ field: Int) -> UInt8 {
    guard field < used else { return 0 }
    let start = startOffset(field)
    return start < endOffset(field) ? base[start] : 0
  }

  /// True when a field is empty or missing.
  @inlinable @inline(__always) public func isEmpty(_ field: Int) -> Bool {
    field >= used || startOffset(field) == endOffset(field)
  }

  /// True when a field holds just this text.
  @inlinable public func matches(_ field: Int, _ text: StaticString) -> Bool {
    guard length(of: field) == text.utf8CodeUnitCount else { return false }
    var place = 0
    while place < text.utf8CodeUnitCount {
      if byte(place, of: field) != text.utf8Start[place] { return false }
      place += 1
    }
    return true
  }

  @inlinable @inline(__always) mutating func flag(_ field: Int) {
    if malformedField == 0 { malformedField = UInt8(truncatingIfNeeded: field) }
  }
}

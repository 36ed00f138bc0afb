/// Why an image is not taken, or not started. One reason, the first in this order.
package enum UpdateRefusal: UInt8, CaseIterable, Error, Sendable {
  /// It does not begin as an image, or its header is damaged.
  case header
  /// It is for another board.
  case board
  /// It was linked for another place than that of the slot.
  case place
  /// It has no bytes, or more than the slot has room for; or more came than the header says.
  case length
  /// It is not newer than the image that runs.
  case version
  /// It names another key than the board's.
  case key
  /// Its header was not signed with the secret of that key, or was changed.
  case signature
  /// Its bytes are not those that were signed.
  case content
  /// The image that runs is not confirmed: the other slot is what it would be rolled back to.
  case trial
  /// A piece does not follow the one before.
  case order
  /// The flash memory fails.
  case memory

  /// As consoles and tools write it.
  package var name: StaticString {
    switch self {
    case .header: "header"
    case .board: "board"
    case .place: "place"
    case .length: "length"
    case .version: "version"
    case .key: "key"
    case .signature: "signature"
    case .content: "content"
    case .trial: "trial"
    case .order: "order"
    case .memory: "memory"
    }
  }
}

import FlashStorage
import InlineStorage
import TrackerRuntime

/// What a tracker keeps, on a flash: each change is one of `FlashStore`, whose records have keys. A section that is longer than a record
/// is several.
final class LifeMedium {
  private let flash: LifeFlash
  private var store: FlashStore<LifeFlashDriver, 2400>
  /// What the flash holds.
  private(set) var content = LifeStore.Content()
  /// Changes that it did not take: it is full, or the power went.
  private(set) var failureCount = 0

  /// Bytes of a record.
  private static let piece = 320
  /// Of a packet's section, as of all sections, the tag; and that of a packet in the spool.
  private static let packetTag: UInt8 = 16
  private static let spoolTag: UInt8 = 17

  init(seed: UInt64) {
    flash = LifeFlash(seed: seed)
    store = FlashStore(LifeFlashDriver(flash: flash))
    _ = store.mount()
  }

  /// Writes what another content has that this one has not, all of it or nothing.
  @discardableResult func write(_ new: LifeStore.Content) -> Bool {
    let records = LifeMedium.records(from: content, to: new)
    guard !records.isEmpty else {
      content = new
      return true
    }
    guard store.begin(upTo: records.reduce(0) { $0 + $1.bytes.count + 16 }) else { return fail() }
    for record in records {
      guard record.bytes.isEmpty ? store.remove(record.key) : store.put(record.key, record.bytes.span) else {
        return fail()
      }
    }
    guard store.commit() else { return fail() }
    content = new
    return true
  }

  private func fail() -> Bool {
    failureCount += 1
    return false
  }

  /// The power goes while it writes, at one command of those that it needs.
  func tear(_ new: LifeStore.Content, isShuffled: Bool) {
    // A record is one command or two.
    flash.fail(within: 2 * LifeMedium.records(from: content, to: new).count, isShuffled: isShuffled)
    write(new)
  }

  /// A new life looks for what there is.
  func mount() -> LifeStore.Content {
    flash.powerOn()
    store = FlashStore(LifeFlashDriver(flash: flash))
    _ = store.mount()
    content = read()
    return content
  }

  private func read() -> LifeStore.Content {
    var result = LifeStore.Content()
    var pieces: [UInt8: [UInt32: [UInt8]]] = [:]
    var spooled: [SpooledPacket] = []
    for place in 0..<store.keyCount {
      let key = store.key(place)
      var record = FlashBuffer()
      guard store.read(key, into: &record) else { continue }
      let bytes = record.span.withUnsafeBufferPointer { Array($0) }
      switch key.tag {
      case LifeMedium.packetTag: result.packets[key.number] = bytes
      case LifeMedium.spoolTag:
        guard bytes.count > 2 else { continue }
        spooled.append(
          SpooledPacket(
            sequence: key.number, pending: bytes[0], isThinnable: bytes[1] == 1, section: Array(bytes[2...])))
      default: pieces[key.tag, default: [:]][key.number] = bytes
      }
    }
    for (tag, parts) in pieces {
      result.sections[tag] = parts.sorted { $0.key < $1.key }.reduce(into: []) { $0 += $1.value }
    }
    result.spool.replace(with: spooled.sorted { $0.sequence < $1.sequence })
    return result
  }

  /// Records to be put, and without bytes, to be taken away.
  private static func records(
    from old: LifeStore.Content, to new: LifeStore.Content
  ) -> [(key: FlashKey, bytes: [UInt8])] {
    var result: [(key: FlashKey, bytes: [UInt8])] = []
    for (tag, bytes) in new.sections.sorted(by: { $0.key < $1.key }) where old.sections[tag] != bytes {
      let parts = pieces(of: bytes)
      for (number, part) in parts.enumerated() { result.append((FlashKey(tag: tag, number: UInt32(number)), part)) }
      for number in parts.count..<max(parts.count, pieces(of: old.sections[tag] ?? []).count) {
        result.append((FlashKey(tag: tag, number: UInt32(number)), []))
      }
    }
    for (sequence, bytes) in new.packets.sorted(by: { $0.key < $1.key }) where old.packets[sequence] != bytes {
      result.append((FlashKey(tag: packetTag, number: sequence), bytes))
    }
    for sequence in old.packets.keys.sorted() where new.packets[sequence] == nil {
      result.append((FlashKey(tag: packetTag, number: sequence), []))
    }
    guard old.spool.all != new.spool.all else { return result }
    var before: [UInt32: SpooledPacket] = [:]
    for packet in old.spool.all { before[packet.sequence] = packet }
    for packet in new.spool.all where before.removeValue(forKey: packet.sequence) != packet {
      let bytes = [packet.pending, packet.isThinnable ? 1 : 0] + packet.section
      result.append((FlashKey(tag: spoolTag, number: packet.sequence), bytes))
    }
    for sequence in before.keys.sorted() { result.append((FlashKey(tag: spoolTag, number: sequence), [])) }
    return result
  }

  private static func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: piece).map { Array(bytes[$0..<min($0 + piece, bytes.count)]) }
  }
}

import InlineStorage
import Quantities
import TestSupport
import Testing

@testable import FlashStorage
import FlashSupport

private typealias Store = FlashStore<ChipDriver, 40>
private typealias Contents = [UInt32: [UInt8]]

/// Parts with other sizes than those that the library names, and those.
private let geometries = [
  FlashGeometry(blockSize: 1024, blockCount: 9, pageSize: 256, unit: 1),
  FlashGeometry(blockSize: 2048, blockCount: 6, pageSize: 8, unit: 8),
  FlashGeometry(blockSize: 1536, blockCount: 7, pageSize: 64, unit: 16),
  .serialNOR(blockCount: 5), .nRF52840(blockCount: 5), .stm32F405(blockCount: 3),
]

private func key(_ number: UInt32) -> FlashKey { FlashKey(tag: UInt8(number % 3 + 1), number: number) }

private func contents(_ store: inout Store) -> Contents {
  var found: Contents = [:]
  for place in 0..<store.keyCount {
    var bytes = FlashBuffer()
    let key = store.key(place)
    guard store.read(key, into: &bytes) else { continue }
    found[key.number] = (0..<bytes.count).map { bytes[$0] }
  }
  return found
}

private func mounted(_ chip: FlashChip) -> Store {
  var store = Store(ChipDriver(chip: chip))
  let isUsable = store.mount()
  #expect(isUsable)
  return store
}

/// A change that is drawn: records put and taken away.
private struct Change {
  var puts: [(UInt32, [UInt8])] = []
  var removals: [UInt32] = []

  init(_ random: inout SeededRandom) {
    for _ in 0...Int(random.next() % 5) {
      let number = UInt32(random.next() % 12)
      if random.next() % 4 == 0 {
        removals.append(number)
      } else {
        let count = 1 + Int(random.next() % (random.next() % 6 == 0 ? 320 : 60))
        puts.append((number, (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
      }
    }
  }

  func applied(to contents: Contents) -> Contents {
    var result = contents
    for (number, bytes) in puts { result[number] = bytes }
    for number in removals { result[number] = nil }
    return result
  }

  func make(in store: inout Store) -> Bool {
    guard store.begin(upTo: 1500) else { return false }
    for (number, bytes) in puts where !store.put(key(number), bytes.span) { return false }
    for number in removals where !store.remove(key(number)) { return false }
    return store.commit()
  }
}

@Suite struct FlashStoreTests {
  @Test(arguments: geometries) func whatWasChangedIsThereAfterAStart(geometry: FlashGeometry) {
    let chip = FlashChip(geometry)
    var random = SeededRandom(seed: 5)
    var expected: Contents = [:]
    // Coarse blocks take longer to go round.
    let count = geometry.blockSize > 100_000 ? 6000 : 500
    var store = mounted(chip)
    for number in 0..<count {
      let change = Change(&random)
      let isKept = change.make(in: &store)
      #expect(isKept)
      expected = change.applied(to: expected)
      guard number % 97 == 0 || number == count - 1 else { continue }
      #expect(contents(&store) == expected)
      store = mounted(chip)
      #expect(contents(&store) == expected, "change \(number)")
      #expect(store.counts.damaged == 0 && store.counts.unfinished == 0)
    }
    #expect(chip.offences.isEmpty, "\(chip.offences.prefix(3))")
    let wear = chip.wear.sorted()
    #expect(wear[0] >= 2 && wear[wear.count - 1] - wear[0] <= 1, "\(wear)")
    #expect(Int(store.counts.mostErasures) == wear[wear.count - 1])
  }

  /// The power goes in every unit that is programmed, and in every erasure: what counts is the last change that was kept, or the one that
  /// was under way, as a whole; and the store goes on.
  @Test(arguments: geometries.prefix(3)) func aCutAnywhereLosesNothingThatWasKept(geometry: FlashGeometry) {
    var random = SeededRandom(seed: 11)
    let chip = FlashChip(geometry)
    var expected: Contents = [:]
    var cuts = 0
    // Of single bytes one in seven, another one each time.
    let step = geometry.unit == 1 ? 7 : 1
    while chip.wear.reduce(0, +) < geometry.blockCount + 4 {
      let change = Change(&random)
      let next = change.applied(to: expected)
      let later = Change(&random)
      for cut in stride(from: Int(random.next() % UInt64(step)), through: 100_000, by: step) {
        let part = FlashChip(copy: chip, seed: random.next())
        part.stepsLeft = cut
        var store = mounted(part)
        let isKept = change.make(in: &store)
        guard part.isOff else { break }
        cuts += 1
        part.powerOn()
        store = mounted(part)
        let found = contents(&store)
        guard found == next || found == expected && !isKept else {
          Issue.record("cut \(cut): \(found.count) records, expected \(expected.count) or \(next.count)")
          return
        }
        #expect(store.counts.damaged == 0, "a cut is no damage: \(cut)")
        // A second life, and a third.
        let isLaterKept = later.make(in: &store)
        store = mounted(part)
        let isThere = contents(&store) == later.applied(to: found)
        #expect(isLaterKept && isThere, "cut \(cut)")
        guard part.offences.isEmpty else {
          Issue.record("cut \(cut): \(part.offences[0])")
          return
        }
      }
      var store = mounted(chip)
      let isKept = change.make(in: &store)
      #expect(isKept)
      expected = next
    }
    #expect(cuts > 800, "\(cuts)")
  }

  /// Thousands of lives, each cut short after some steps, on the same part.
  @Test(arguments: geometries.prefix(3)) func livesThatAreCutShortGoOnForEver(geometry: FlashGeometry) {
    let chip = FlashChip(geometry, seed: 3)
    var random = SeededRandom(seed: 21)
    var expected: Contents = [:]
    var unfinished: UInt32 = 0
    for life in 0..<250 {
      chip.powerOn()
      chip.stepsLeft = Int(random.next() % 2500)
      var store = mounted(chip)
      unfinished += store.counts.unfinished
      #expect(contents(&store) == expected || chip.isOff, "life \(life)")
      while !chip.isOff {
        let change = Change(&random)
        let next = change.applied(to: expected)
        let isKept = change.make(in: &store)
        if isKept { expected = next }
        if !isKept, chip.isOff {
          chip.powerOn()
          store = mounted(chip)
          let found = contents(&store)
          #expect(found == expected || found == next, "life \(life)")
          expected = found
          break
        }
        #expect(isKept, "life \(life)")
        if random.next() % 3 == 0, store.tidy(), !chip.isOff { #expect(contents(&store) == expected) }
      }
    }
    #expect(unfinished > 20, "the cuts have to hit changes: \(unfinished)")
    #expect(chip.offences.isEmpty, "\(chip.offences.prefix(3))")
  }

  /// A bit that has changed costs the records that it is in, and those are counted.
  @Test func aFlippedBitCostsItsRecordAlone() {
    let geometry = FlashGeometry(blockSize: 1024, blockCount: 6, pageSize: 256, unit: 4)
    let chip = FlashChip(geometry)
    var store = mounted(chip)
    for number: UInt32 in 0..<9 {
      _ = store.begin(upTo: 1500)
      let content = (0..<40).map { UInt8($0) + UInt8(number) }
      _ = store.put(key(number), content.span)
      let isKept = store.commit()
      #expect(isKept)
    }
    let expected = contents(&store)
    var damaged = 0
    for place in 48..<48 + 9 * 52 {
      for bit in 0..<8 {
        chip.flip(bit: bit, at: place)
        var store = mounted(chip)
        let found = contents(&store)
        let hit = UInt32((place - 48) / 52)
        var rest = expected
        rest[hit] = nil
        // The last one could as well be one that was cut off.
        #expect(found == rest, "bit \(bit) of byte \(place)")
        #expect(store.counts.damaged == (hit == 8 ? 0 : 1) && store.counts.unfinished == (hit == 8 ? 1 : 0))
        damaged += Int(store.counts.damaged)
        chip.flip(bit: bit, at: place)
      }
    }
    #expect(damaged == 8 * 52 * 8)
  }

  @Test func cellsThatAreWornLoseNothing() {
    let geometry = FlashGeometry(blockSize: 1024, blockCount: 12, pageSize: 256, unit: 4)
    let chip = FlashChip(geometry)
    var random = SeededRandom(seed: 8)
    chip.worn = [4, 7]
    for _ in 0..<20 { chip.stuckUnits.insert(Int(random.next() % UInt64(geometry.blockCount * 256))) }
    var expected: Contents = [:]
    var store = mounted(chip)
    for _ in 0..<800 {
      let change = Change(&random)
      let isKept = change.make(in: &store)
      #expect(isKept)
      expected = change.applied(to: expected)
    }
    #expect(store.counts.badBlocks >= 2)
    #expect(contents(&store) == expected)
    store = mounted(chip)
    #expect(contents(&store) == expected)
  }

  @Test func whatDoesNotFitIsRefusedAndChangesNothing() {
    let chip = FlashChip(FlashGeometry(blockSize: 1024, blockCount: 8, pageSize: 256, unit: 1))
    var store = mounted(chip)
    let one: [UInt8] = [1]
    let two: [UInt8] = [2, 2]
    _ = store.begin(upTo: 1500)
    _ = store.put(key(1), one.span)
    _ = store.commit()
    let before = contents(&store)

    // Forty keys, and one more.
    _ = store.begin(upTo: 1500)
    for number: UInt32 in 2...40 {
      let isPut = store.put(key(number), two.span)
      #expect(isPut)
    }
    let isPut = store.put(key(41), two.span)
    #expect(!isPut && !store.isChanging && store.counts.failures == 1)
    #expect(contents(&store) == before)

    // An empty record, and one that is too long.
    for content in [[], [UInt8](repeating: 0, count: 321)] as [[UInt8]] {
      _ = store.begin(upTo: 1500)
      let isPut = store.put(key(2), content.span)
      #expect(!isPut && contents(&store) == before)
    }
    // Without a change there is nothing to be part of.
    let isAlone = store.put(key(2), two.span)
    let isRemoved = store.remove(key(1))
    let isKept = store.commit()
    #expect(!isAlone && !isRemoved && !isKept && contents(&store) == before)

    // All that there is room for counts, and what is too much does not.
    var expected = before
    var number: UInt32 = 2
    while number < 40 {
      guard store.begin(upTo: 1500) else { break }
      let content = [UInt8](repeating: UInt8(number), count: 320)
      guard store.put(key(number), content.span), store.commit() else { break }
      expected[number] = content
      number += 1
    }
    #expect(number > 8 && number < 25, "\(number)")
    #expect(contents(&store) == expected)
    store = mounted(chip)
    #expect(contents(&store) == expected)
    // What is taken away makes room.
    let larger = FlashGeometry(blockSize: 1024, blockCount: 2, pageSize: 256, unit: 1)
    #expect(!larger.isUsable)
  }

  @Test func aPartThatSomebodyElseHasUsedIsAnEmptyStore() {
    let geometry = FlashGeometry(blockSize: 1024, blockCount: 5, pageSize: 256, unit: 1)
    var random = SeededRandom(seed: 9)
    for fill: UInt8? in [nil, 0, 0x4C] {
      let content = (0..<5120).map { _ in fill ?? UInt8(truncatingIfNeeded: random.next()) }
      let chip = FlashChip(geometry, filledWith: content)
      var store = mounted(chip)
      #expect(contents(&store).isEmpty)
      var expected: Contents = [:]
      for _ in 0..<100 {
        let change = Change(&random)
        let isKept = change.make(in: &store)
        #expect(isKept)
        expected = change.applied(to: expected)
      }
      store = mounted(chip)
      #expect(contents(&store) == expected && chip.offences.isEmpty)
    }
  }

  /// Work that was done while nothing was due is not done when something is.
  @Test func tidyWorkIsDoneAhead() {
    let chip = FlashChip(FlashGeometry(blockSize: 1024, blockCount: 12, pageSize: 256, unit: 1))
    var store = mounted(chip)
    var random = SeededRandom(seed: 4)
    var erasures = 0
    for _ in 0..<400 {
      while store.tidy() {}
      let before = chip.wear.reduce(0, +)
      let isKept = Change(&random).make(in: &store)
      #expect(isKept)
      erasures += chip.wear.reduce(0, +) - before
    }
    // Only where a change needs two blocks, one is erased in it.
    #expect(erasures <= 8 && chip.wear.reduce(0, +) > 60, "\(erasures)")
  }
}

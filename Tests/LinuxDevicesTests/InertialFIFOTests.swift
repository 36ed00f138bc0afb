import Quantities
import Testing

@testable import LinuxDevices

private func word(_ sensor: UInt8, slot: UInt8, _ value: Int16) -> [UInt8] {
  [sensor << 3 | slot << 1] + littleEndian([value, 0, 0])
}

@Test func halvesOfDifferentTimeSlotsAreNotBroughtTogether() {
  var decoder = FIFODecoder(.taggedWords)
  let axes = { (value: Int16) in RawAxes(x: value, y: 0, z: 0) }
  let readings = decoder.decode(
    word(1, slot: 0, 1) + word(2, slot: 0, 2) + word(1, slot: 1, 3) + word(3, slot: 1, 99) + word(2, slot: 2, 4)
      + word(1, slot: 2, 5))
  #expect(
    readings == [
      RawReading(force: axes(2), rate: axes(1)), RawReading(force: nil, rate: axes(3)),
      RawReading(force: axes(4), rate: axes(5)),
    ])
  #expect(decoder.unknownCount == 1)
  // A pair that two looks share.
  #expect(decoder.decode(word(1, slot: 3, 6)).isEmpty)
  #expect(decoder.decode(word(2, slot: 3, 7)) == [RawReading(force: axes(7), rate: axes(6))])
}

@Test(arguments: [1, 4]) func headedFramesOfAllKindsAreReadAndTheRestIsCounted(configurationLength: Int) {
  var decoder = FIFODecoder(.headedFrames(configurationLength: configurationLength))
  let axes = { (value: Int16) in RawAxes(x: value, y: value, z: value) }
  func three(_ value: Int16) -> [UInt8] { littleEndian([value, value, value]) }
  let bytes =
    [0x40, 7] + [0x48] + [UInt8](repeating: 0x8C, count: configurationLength) + [0x8C] + three(1) + three(2)
    + [0x44, 1, 2, 3] + [0x85] + three(3) + [0x8A] + three(4) + [0x9C] + [UInt8](repeating: 9, count: 8) + three(5)
    + three(6) + [0x80, 0x80]
  #expect(
    decoder.decode(bytes) == [
      RawReading(force: axes(2), rate: axes(1)), RawReading(force: axes(3)), RawReading(rate: axes(4)),
      RawReading(force: axes(6), rate: axes(5)),
    ])
  #expect(decoder.lostCount == 7 && decoder.unknownCount == 0)
  // Cut anywhere, nothing is read beyond the end.
  for length in bytes.indices {
    var other = FIFODecoder(.headedFrames(configurationLength: configurationLength))
    #expect(other.decode(Array(bytes[..<length])).count <= 4)
  }
  #expect(decoder.decode([0x23, 0x8C] + three(1) + three(2)).isEmpty && decoder.unknownCount == 1)
}

@Test func aFIFOThatMayHaveOverwrittenASampleInPartIsNotRead() {
  let old = InertialPart.mpu6050.fifo.level
  #expect(old([0x00, 0x03, 0xF4]) == InertialFIFO.Level(byteCount: 1008, isOverrun: false))
  #expect(old([0x00, 0x03, 0xF5]).isOverrun && old([0x10, 0x00, 0x0C]).isOverrun)
  #expect(InertialPart.mpu6500.fifo.level([0x00, 0x01, 0xF5]).isOverrun)
  let aligned = InertialPart.lsm6ds3.fifo.level([14, 0x00, 4, 0])
  #expect(aligned == InertialFIFO.Level(byteCount: 24, isOverrun: false, misalignment: 4))
}

@Test func theClockOfSamplesStaysInsideOfWhatLooksProve() {
  var clock = SampleClock(hertz: 100)
  var newest: Instant?
  for look in 0..<500 {
    let before = Instant.milliseconds(1000 + 10 * look)
    let after = before + Interval(microseconds: 300)
    // Every hundredth look finds nothing, and the next one two.
    let count = look % 100 == 50 ? 0 : look % 100 == 51 ? 2 : 1
    for time in clock.times(count: count, before: before, after: after) {
      if let newest { #expect(time > newest) }
      newest = time
    }
    if count > 0, let newest {
      let bound = before - Interval(microseconds: Int64(clock.spacing) + 200)
      #expect(newest <= after && newest > bound)
    }
  }
}

@Test func aGapOfAnHourLeavesTheRateAsItWas() {
  var clock = SampleClock(hertz: 100)
  for look in 0..<300 {
    _ = clock.times(count: 1, before: .milliseconds(10 * look), after: .milliseconds(10 * look))
  }
  let rate = clock.hertz
  clock.noteGap()
  let times = clock.times(count: 3, before: .seconds(3603), after: .seconds(3603))
  #expect(clock.hertz == rate)
  #expect(times.count == 3 && times[2] > .seconds(3603) - .milliseconds(10) && times[2] <= .seconds(3603))
  #expect(abs((times[1] - times[0]).microseconds - 10_000) < 200)
}

@Test func manySamplesLeftForTheNextLookAreDatedAheadOfThem() {
  var clock = SampleClock(hertz: 100)
  let early = clock.times(count: 80, pending: 20, before: .seconds(10), after: .seconds(10))
  let late = clock.times(count: 20, before: .seconds(10), after: .seconds(10))
  #expect(early.first == .seconds(10) - .milliseconds(995) && late.last == .seconds(10) - .milliseconds(5))
}

import FaultInjection
import Quantities
import Testing

private let text = Array((0..<500).map { "\r\n+CREG: 0,\($0)\r\n" }.joined().utf8)

private func through(_ rates: LineFaultRates, seed: UInt64 = 1, pieces: [ArraySlice<UInt8>] = [text[...]]) -> (
  bytes: [UInt8], counts: LineFaultCounts
) {
  var line = LineFaults(rates, seed: seed)
  for piece in pieces { line.send(Array(piece), at: .zero) }
  return (line.take(by: .seconds(3_600)), line.counts)
}

@Suite struct LineFaultsTests {
  @Test func aGoodLineChangesNothing() {
    let result = through(.none)
    #expect(result.bytes == text)
    #expect(result.counts == LineFaultCounts())
  }

  @Test func lostAndDoubledBytesAreCounted() {
    let lost = through(LineFaultRates(lossPerMillion: 50_000))
    #expect(lost.counts.lost > 100)
    #expect(lost.bytes.count == text.count - lost.counts.lost)
    let doubled = through(LineFaultRates(duplicationPerMillion: 50_000))
    #expect(doubled.counts.duplicated > 100)
    #expect(doubled.bytes.count == text.count + doubled.counts.duplicated)
  }

  @Test func aCorruptedByteDiffersInOneBit() {
    let result = through(LineFaultRates(corruptionPerMillion: 50_000))
    let differences = zip(result.bytes, text).map { ($0 ^ $1).nonzeroBitCount }
    #expect(result.bytes.count == text.count)
    #expect(differences.allSatisfy { $0 <= 1 })
    #expect(differences.reduce(0, +) == result.counts.corrupted)
    #expect(result.counts.corrupted > 100)
  }

  @Test func mergedLinesLoseOnlyTheirEnds() {
    let result = through(LineFaultRates(mergedLinesPerMillion: 200_000))
    #expect(result.counts.merged > 50)
    #expect(result.bytes.count == text.count - 2 * result.counts.merged)
    #expect(result.bytes.filter { $0 >= 0x20 } == text.filter { $0 >= 0x20 })
  }

  @Test func aTornLineLosesItsRest() {
    let result = through(LineFaultRates(tornLinesPerMillion: 20_000))
    #expect(result.counts.torn > 50)
    #expect(result.bytes.filter { $0 == 0x0A }.count == 1_000 - result.counts.torn)
  }

  @Test func aStallMakesLateButLosesNothing() throws {
    var line = LineFaults(LineFaultRates(stallPerMillion: 1_000_000, stall: .seconds(2)), seed: 1)
    line.send([0x41], at: .seconds(10))
    #expect(line.take(by: .seconds(11)).isEmpty)
    #expect(line.nextDeadline == .seconds(12))
    #expect(line.take(by: .seconds(12)) == [0x41])
    #expect(line.nextDeadline == nil)
  }

  @Test func delaysAndCutsKeepTheOrder() {
    let rates = LineFaultRates(delay: .milliseconds(50), fragmentationPerMillion: 100_000)
    var line = LineFaults(rates, seed: 7)
    line.send(text, at: .zero)
    var bytes: [UInt8] = []
    var pieces = 0
    while let next = line.nextDeadline {
      bytes += line.take(by: next)
      pieces += 1
    }
    #expect(bytes == text)
    #expect(pieces > 100)
    #expect(line.counts.fragments > 100)
  }

  @Test func theSameSeedGivesTheSameFaultsForEveryCut() {
    let whole = through(.rough, seed: 3)
    let cut = through(.rough, seed: 3, pieces: [text[..<7], text[7..<100], text[100...]])
    #expect(whole.bytes == cut.bytes)
    #expect(whole.bytes != through(.rough, seed: 4).bytes)
  }

  @Test func aFullLineLosesAndCounts() {
    var line = LineFaults(LineFaultRates(delay: .seconds(1)), seed: 1)
    line.send([UInt8](repeating: 1, count: LineFaults.capacity + 5), at: .zero)
    #expect(line.counts.overflowed == 5)
    #expect(line.take(by: .seconds(10)).count == LineFaults.capacity)
  }
}

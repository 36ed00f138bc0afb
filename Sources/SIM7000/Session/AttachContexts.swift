/// The contexts that the modem attaches with: the first, and the two with copies of its name (`CGDCONT`).
///
/// The copies are left alone while nothing is wrong: a network may have defined them. They are renamed with the first, as they were
/// then copied from its old name, and when the modem finds no network, or none that lets it rest.
struct AttachContexts: BitwiseCopyable {
  /// A bit for each of 1, 13 and 14 that has another name than it should.
  private var differing: UInt8 = 1
  /// What the modem has in the copies may keep it from a network: the next look at them renames them, too.
  var doubtsCopies = false
  /// They were looked at in doubt.
  var copiesWereSeen = false

  /// Before an answer: without a line the first has no name, the copies are not there.
  mutating func forget() { differing = 1 }

  mutating func note(_ number: UInt8, differs: Bool) {
    let bit: UInt8 = number == 1 ? 1 : number == 13 ? 2 : number == 14 ? 4 : 0
    differing = differs ? differing | bit : differing & ~bit
  }

  /// The first has another name, or none.
  var firstDiffers: Bool { differing & 1 != 0 }

  /// How many copies are to be renamed after a look; ends the doubt.
  mutating func takeCopiesToRename() -> Int {
    let isDue = doubtsCopies || firstDiffers
    copiesWereSeen = copiesWereSeen || doubtsCopies
    doubtsCopies = false
    return isDue ? (differing & 6).nonzeroBitCount : 0
  }

  /// The number of the next copy to be renamed.
  var nextCopy: UInt8 { differing & 2 != 0 ? 13 : 14 }

  /// The modem has taken its name, or does not take it.
  mutating func noteRenamed() { differing &= differing & 2 != 0 ? ~2 : ~4 }
}

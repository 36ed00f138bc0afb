import Quantities
import TrackerRuntime

/// What is to be kept, as bytes: made by the thread that has the tracker, written by the one that has the file.
struct StateChange: Sendable {
  /// Sections that are put in the place of those with the same key.
  var sections: [(key: SectionKey, record: [UInt8])] = []
  /// Packets that wait no more.
  var delivered: [UInt32] = []
  /// Packets that are in the spool and not in its table.
  var spooled: [SpooledPacket] = []
  /// Packets that are in the table and not in the spool.
  var unspooled: [UInt32] = []
  /// True when all sections of the state are in it, so that tables of the first form are needed no more.
  var isWhole = false
  /// The mark of numbering; nil when it has not changed.
  var mark: [UInt8]?
}

/// What became of a change.
enum StateOutcome: Sendable {
  /// It is on the storage; when the mark is not, what the system says.
  case kept(in: Interval, markProblem: String?)
  /// Nothing of it is, and why.
  case refused(String)
  /// The file was damaged and is put aside; an empty one is in its place and wants the whole state.
  case begunAnew(remark: String)
}

import Quantities
import TrackerRuntime

extension LifeRun {
  /// Lives all of it.
  ///
  /// - Parameter isOver: Asked now and then; as soon as it is true, the report is of what was lived until then.
  package func live(
    progress: (Instant) -> Void = { _ in }, until isOver: () -> Bool = { false }
  ) throws(RecordingError) -> LifeReport {
    do throws(RecordingError) {
      var count = 0
      while try step() {
        count &+= 1
        guard count & 4095 == 0 else { continue }
        progress(now)
        if isOver() { return summary() }
      }
      return try finish()
    } catch {
      guard log?.isRestless == true else { throw error }
      checker.check(.timePasses, false, at: now, error.found)
      return summary()
    }
  }

  /// Lives until a promise is broken, or to a time.
  ///
  /// - Returns: Whether one that is looked for was broken by then.
  package func live(until limit: Instant, isWanted: (BrokenPromise) -> Bool) throws(RecordingError) -> Bool {
    var seen = 0
    do throws(RecordingError) {
      while now <= limit {
        guard try step() else { return try finish().broken.contains(where: isWanted) }
        if checker.broken.count > seen {
          if checker.broken[seen...].contains(where: isWanted) { return true }
          seen = checker.broken.count
        }
      }
      return false
    } catch {
      guard log?.isRestless == true else { throw error }
      checker.check(.timePasses, false, at: now, error.found)
      return checker.broken.contains(where: isWanted)
    }
  }
}

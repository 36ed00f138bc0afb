import Glibc

/// Ends the run when a promise does not hold, and says which: a failed precondition is silent in an optimised build.
func promise(_ holds: Bool, _ text: StaticString) {
  guard !holds else { return }
  write(2, "BROKEN PROMISE: ", 16)
  write(2, text.utf8Start, text.utf8CodeUnitCount)
  write(2, "\n", 1)
  preconditionFailure()
}

import Foundation

extension CoreRun {
  /// Breaks a rule: Foundation does not exist in firmware.
  mutating func all() { note(Int64(Date().timeIntervalSince1970)) }
}

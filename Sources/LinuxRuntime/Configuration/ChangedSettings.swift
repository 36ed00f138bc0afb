import Telemetry
import TrackerCore

extension BoardConfigurationFile {
  /// The same with what requests have changed since (`leash tell set …`), as the state file has it: a running tracker goes by that
  /// until the file has another value. Without a state file nothing differs.
  package func withChangedSettings() -> BoardConfigurationFile {
    guard let bytes = StateSalvage(configuration.stateFile).section(of: .settings),
      let section = StoredSection(bytes.span, at: 0)
    else { return self }
    var changed = configuration
    changed.tracker.tracker.take(section, of: bytes.span)
    var result = self
    for place in result.rows.indices {
      let name = result.rows[place].name
      guard let key = ConfigurationSchema.tracker.bound.first(where: { $0.key.name == name }) else { continue }
      let value = key.get(changed)
      guard value != result.rows[place].value else { continue }
      result.rows[place].value = value
      result.rows[place].origin = .state
    }
    return result
  }
}

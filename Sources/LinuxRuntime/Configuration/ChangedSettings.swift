import Telemetry
import TrackerCore

extension BoardConfigurationFile {
  /// The same with what requests have changed since (`leash tell set …`, `leash tell fence 1 off`), as the state file has it: a
  /// running tracker goes by that until the file has another value. Without a state file nothing differs.
  package func withChangedSettings() -> BoardConfigurationFile {
    let salvage = StateSalvage(configuration.stateFile)
    var changed = configuration
    if let bytes = salvage.section(of: .settings), let section = StoredSection(bytes.span, at: 0) {
      changed.tracker.tracker.take(section, of: bytes.span)
    }
    changed.tracker.tracker.takeAlerts(ofState: salvage.state.span)
    var result = self
    for place in result.rows.indices {
      let name = result.rows[place].name
      guard let key = ConfigurationSchema.tracker.bound.first(where: { $0.key.name == name }) else { continue }
      let value = key.get(changed)
      guard value != result.rows[place].value else { continue }
      result.rows[place].value = value
      result.rows[place].origin = .state
    }
    result.showChangedRules()
    return result
  }
}

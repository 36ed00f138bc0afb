import LinuxDevices

/// Where a board keeps what survives a restart, and writes what it is given and does.
package struct BoardStorage {
  /// What survives a restart.
  package let store: StateStore
  /// The recording; nil when nothing is recorded.
  package let recorder: RideRecorder?

  /// Storage that is open.
  package init(store: StateStore, recorder: RideRecorder? = nil) {
    self.store = store
    self.recorder = recorder
  }

  /// The storage that a configuration names.
  ///
  /// - Parameters:
  ///   - clock: The clock of the board's loop.
  ///   - isBesideLoop: False to wait for the state file in the loop: what is to be kept is on the storage when a call returns.
  /// - Throws: When the state file can't be had: a tracker without memory would lose alerts.
  package init(
    _ configuration: BoardConfiguration, clock: any LoopClock, isBesideLoop: Bool = true
  ) throws(DeviceFailure) {
    self.init(
      store: try StateStore(
        path: configuration.stateFile, spoolCapacity: configuration.spoolCapacity, isBesideLoop: isBesideLoop,
        clock: clock),
      recorder: configuration.recording.map { RideRecorder($0) { clock.now } })
  }
}

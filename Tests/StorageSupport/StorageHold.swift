import StorageCalls

/// A storage that hangs: whoever synchronises a file below a folder waits until it is released.
package final class StorageHold {
  private let folder: String
  /// False when too many folders are held at once.
  package private(set) var isHolding: Bool

  /// Begins to hold.
  package init(_ folder: String) {
    self.folder = folder
    isHolding = storage_hold(folder)
  }

  /// Lets those who wait go on.
  package func release() {
    if isHolding { storage_release(folder) }
    isHolding = false
  }

  deinit { release() }
}

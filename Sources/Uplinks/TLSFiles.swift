import Glibc
import LinuxDevices

extension TLSSettings {
  /// Fails with the first file that can't be read: no retry mends that.
  func checkFiles() throws(DeviceFailure) {
    for path in [authorityFile, certificateFile, keyFile] {
      guard let path else { continue }
      guard access(path, R_OK) == 0 else { throw DeviceFailure(.open, path, errorNumber: errno, .other) }
    }
  }
}

import FoundationEssentials
import Glibc
import LinuxDevices
import LinuxRuntime

/// Asks a running tracker through its socket.
enum TrackerQuestion {
  /// What is behind a socket.
  static func ask(at path: String) -> RunningTracker {
    do throws(DeviceFailure) {
      let answer = try ControlClient.ask(.status, at: path)
      guard let status = try? JSONDecoder().decode(BoardStatus.self, from: Data(answer)) else {
        return .mute(reason: "it is another version of leash")
      }
      return .running(status)
    } catch {
      switch error.errorNumber {
      // Nobody there, or nobody any more.
      case ENOENT, ECONNREFUSED, ENOTDIR, ENOTSOCK: return .none
      case EACCES, EPERM: return .hidden(owner: owner(of: path))
      // It hung up at once: that is how it treats users who are not its own.
      case ECONNRESET, EPIPE: return .hidden(owner: owner(of: path))
      default: return .mute(reason: error.systemText)
      }
    }
  }

  /// The user whose folder or socket it is.
  private static func owner(of path: String) -> String {
    var status = stat()
    var place = path
    while stat(place, &status) != 0 {
      guard let slash = place.lastIndex(of: "/"), slash > place.startIndex else { return "another user" }
      place = String(place[..<slash])
    }
    return getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "user \(status.st_uid)"
  }
}

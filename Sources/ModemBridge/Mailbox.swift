import Glibc
import LinuxDevices
import ModemSimulation
import Synchronization

/// What the threads of the bridge tell its owner.
enum BridgeNews: Sendable {
  /// An answer that is done.
  case reply(NetworkReply)
  /// The addresses of a name, for a socket that waits for them.
  case addresses(id: Int, [SocketAddress], NetworkFailure?)
  /// The broker has what libmosquitto gave that number.
  case mqttDone(id: Int, number: Int32)
}

/// News from threads to the one that polls, which is woken.
final class Mailbox: Sendable {
  /// Readable when there is news.
  let wakeUp: WakeUp
  private let news = Mutex<[BridgeNews]>([])

  init() throws(DeviceFailure) { wakeUp = try WakeUp() }

  /// Puts news in, from any thread.
  func post(_ item: BridgeNews) {
    news.withLock { $0.append(item) }
    wakeUp.signal()
  }

  /// Puts an answer in, from any thread.
  func post(_ reply: NetworkReply) { post(.reply(reply)) }

  /// Takes all news out.
  func takeAll() -> [BridgeNews] {
    wakeUp.clear()
    return news.withLock { news in
      defer { news = [] }
      return news
    }
  }
}

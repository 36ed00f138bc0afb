import Synchronization

/// News from threads to the one that runs the loop, which is woken.
package final class Mailbox<News: Sendable>: Sendable {
  /// Readable when there is news.
  package let wakeUp: WakeUp
  private let news = Mutex<[News]>([])

  /// - Throws: When the process has no file descriptors left.
  package init() throws(DeviceFailure) { wakeUp = try WakeUp() }

  /// Puts news in, from any thread.
  package func post(_ item: News) {
    news.withLock { $0.append(item) }
    wakeUp.signal()
  }

  /// Takes all news out.
  package func takeAll() -> [News] {
    wakeUp.clear()
    return news.withLock { news in
      defer { news = [] }
      return news
    }
  }
}

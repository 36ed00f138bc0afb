import Synchronization

/// News from threads to the one that runs the loop, which is woken.
public final class Mailbox<News: Sendable>: Sendable {
  /// Readable when there is news.
  public let wakeUp: WakeUp
  private let news = Mutex<[News]>([])

  /// - Throws: When the process has no descriptor left.
  public init() throws(DeviceFailure) { wakeUp = try WakeUp() }

  /// Puts news in, from any thread.
  public func post(_ item: News) {
    news.withLock { $0.append(item) }
    wakeUp.signal()
  }

  /// Takes all news out.
  public func takeAll() -> [News] {
    wakeUp.clear()
    return news.withLock { news in
      defer { news = [] }
      return news
    }
  }
}

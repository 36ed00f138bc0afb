import Quantities
import Requests
import StatusPage
import TrackerCore
import TrackerRuntime

/// What the local page shows, and what it asks.
extension BoardRun {
  /// Whether the local page takes requests.
  var takesPageRequests: Bool { configuration.page != nil && configuration.pageToken != nil }

  /// Everything the page's server answers with; the board must live as long.
  ///
  /// - Parameter version: Of the program.
  package func pageContent(version: String) -> PageContent {
    var content = PageContent(
      status: { [unowned self] in statusJSON(version: version) }, history: { [unowned self] in historyJSON(after: $0) },
      dialogue: { [unowned self] in dialogueJSON(after: $0) }, fences: { [unowned self] in fencesJSON })
    if takesPageRequests {
      content.requests = PageRequests(
        take: { [unowned self] in takePageRequest($0, reply: $1) },
        noteRefused: { [unowned self] in refusedByPage += 1 })
    }
    return content
  }

  /// Gives the tracker what a browser sent: signed with the page's token for what the page has buttons for, or with the owner's key.
  ///
  /// - Parameter reply: Called with what became of it, when that is on the storage or has waited two seconds for it.
  private func takePageRequest(_ text: [UInt8], reply: @escaping (PageRequests.Reply) -> Void) {
    guard var door = configuration.pageDoor else { return reply(.refused("\(RequestRefusal.noKey.word)")) }
    let now = loop.clock.now
    // What the owner has signed is no matter of the token, whatever becomes of it.
    switch run.look({ $0.judge(text.span, from: .page, by: run.door, at: now) }) {
    case .refused(.forged, _), .refused(.noKey, _), .refused(.unreadable, _), .refused(.tooLong, _): break
    case .refused(.notAllowed, _) where RequestEnvelope(text.span)?.counter == nil: break
    default: door = run.door
    }
    if case .refused(let reason, _) = run.look({ $0.judge(text.span, from: .page, by: door, at: now) }),
      !pagePace.admits(at: now)
    {
      refusedByPage += 1
      return reply(.refused("\(reason.word)"))
    }
    guard let heard = try? run.hear(text, from: .page, by: door, at: now) else {
      return reply(.refused("\(RequestRefusal.unreadable.word)"))
    }
    switch heard.verdict {
    case .refused(let reason, _), .refusedTogether(let reason, _, _): reply(.refused("\(reason.word)"))
    case .admitted, .told:
      let answer = heard.answer.map { "\($0.name)" }
      // The name of a rule's error: letters alone, whatever was asked.
      let reason = heard.answer == .ruleRefused ? heard.value?.string : nil
      run.whenKept { reply(.obeyed(answer, because: reason)) }
    }
    settle()
  }
}

/// How many refused requests of the page are told to the tracker, which records each: whoever floods the page fills no recording.
struct PagePace {
  /// So many in a minute; the rest is counted alone.
  static let perMinute = 20

  private var since: Instant?
  private var count = 0

  /// True when one more may be told now.
  mutating func admits(at now: Instant) -> Bool {
    if since.map({ now - $0 >= .seconds(60) }) ?? true {
      since = now
      count = 0
    }
    count += 1
    return count <= PagePace.perMinute
  }
}

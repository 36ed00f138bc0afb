import CMicroHTTPD
import LinuxDevices
import Quantities

/// A request on its way in: from the head of a POST to the answer.
final class PageUpload {
  /// Where requests are sent to.
  static let path = "/request"
  /// A header that no form can send, and no script of another page without asking first, which is refused.
  static let header = "Leash-Request"
  /// As many bytes as a request may have.
  static let longest = 400

  fileprivate var text: [UInt8] = []
  fileprivate var reply: PageRequests.Reply?
  /// True while the connection waits for what becomes of it.
  fileprivate(set) var isWaiting = false
}

// Requests of the page.
extension StatusPageServer {
  /// A part of a POST: called once when its head is there, then with its bytes, then when it is complete, and once more when what became of
  /// it is known.
  func takeUpload(
    _ connection: OpaquePointer, isNew: Bool, _ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    if isNew {
      if let refusal = refusal(of: connection) {
        content.requests?.noteRefused()
        return MHD_queue_response(connection, refusal.status, refusal.pointer)
      }
      uploads[connection] = PageUpload()
      return .YES
    }
    guard let upload = uploads[connection] else { return .NO }
    if let bytes, count.pointee > 0 {
      // One byte too many is enough to know.
      for place in 0..<min(count.pointee, PageUpload.longest + 1 - upload.text.count) {
        upload.text.append(UInt8(bitPattern: bytes[place]))
      }
      count.pointee = 0
      return .YES
    }
    if upload.reply == nil { ask(upload, of: connection) }
    guard let reply = upload.reply else {
      upload.isWaiting = true
      MHD_suspend_connection(connection)
      return .YES
    }
    guard let answer = response(to: reply) else { return .NO }
    return MHD_queue_response(connection, answer.status, answer.pointer)
  }

  /// Why a POST is not even read: it is not addressed to this machine, comes from another page, or is too long. Nil when it may come.
  ///
  /// - Source: [fetch] section 3.2 for what a script of another page can't send, [fetch-metadata] for `Sec-Fetch-Site`.
  private func refusal(of connection: OpaquePointer) -> PageResponse? {
    guard let host = header("Host", of: connection), hosts.allows(host) else { return refuseHost() }
    // A page's browser says of what origin it is, and that it can't change.
    let origin = header("Origin", of: connection)?.lowercased()
    let isOwn = origin == "http://\(host.lowercased())" || origin == "https://\(host.lowercased())"
    let site = header("Sec-Fetch-Site", of: connection) ?? "same-origin"
    guard isOwn, site == "same-origin", header(PageUpload.header, of: connection) == "1" else {
      return PageResponse(403, "Requests are accepted only from the page of this tracker.", in: outgoing)
    }
    guard let length = header("Content-Length", of: connection).flatMap({ Int($0) }), length <= PageUpload.longest
    else {
      return PageResponse(413, "A request has \(PageUpload.longest) bytes at most.", in: outgoing)
    }
    return nil
  }

  private func ask(_ upload: PageUpload, of connection: OpaquePointer) {
    guard upload.text.count <= PageUpload.longest, let requests = content.requests else {
      upload.reply = .refused("tooLong")
      return
    }
    requests.take(upload.text) { [weak self, weak upload] reply in
      guard let upload, upload.reply == nil else { return }
      upload.reply = reply
      // Whoever asked may be gone, and another connection be in its place.
      guard upload.isWaiting, let self, self.uploads[connection] === upload else { return }
      upload.isWaiting = false
      MHD_resume_connection(connection)
      if let loop = self.loop { self.work(at: loop.clock.now) }
    }
  }

  private func response(to reply: PageRequests.Reply) -> PageResponse? {
    switch reply {
    case .obeyed(let answer?, let reason?): json(Array("{\"answer\":\"\(answer)\",\"reason\":\"\(reason)\"}".utf8))
    case .obeyed(let answer?, nil): json(Array("{\"answer\":\"\(answer)\"}".utf8))
    case .obeyed(nil, _): json(Array("{}".utf8))
    case .refused(let word): json(Array("{\"refused\":\"\(word)\"}".utf8), status: 403)
    }
  }
}

import FirmwareUpdate
import LinuxDevices
import Quantities

/// `leash bench-board PORT update IMAGE`.
extension BoardBench {
  /// Sends an image, and tells what came of it.
  func update(_ image: FirmwareFile?) throws(CommandFailure) -> ExitCode {
    guard let image else { return .usage }
    let start = MonotonicClock.now
    var sender = UpdateSender(image, timeout: session.timeout, at: start)
    var progress = ProgressLine(console)
    defer { progress.clear() }
    while true {
      switch sender.next(at: MonotonicClock.now) {
      case .send(let line): try session.send(line)
      case .wait(let moment):
        guard let line = try session.nextLine(until: moment) else { continue }
        sender.hear(line, at: MonotonicClock.now)
        progress.update(BoardBench.progress(of: sender, since: start))
      case .finish(let outcome):
        progress.clear()
        return try tell(outcome, of: sender, image, seconds: (MonotonicClock.now - start).secondsDouble)
      }
    }
  }

  private static func progress(of sender: UpdateSender, since start: Instant) -> String {
    guard sender.phase == "receiving", sender.length > 0 else {
      return "the board is \(sender.phase.isEmpty ? "asked" : sender.phase)"
    }
    let seconds = (MonotonicClock.now - start).secondsDouble
    return "\(sender.place * 100 / sender.length) %, \(sender.place) of \(sender.length) bytes, "
      + "\(TimeText.decimal(seconds, 0)) s"
  }

  private func tell(
    _ outcome: UpdateOutcome, of sender: UpdateSender, _ image: FirmwareFile, seconds: Double
  ) throws(CommandFailure) -> ExitCode {
    let version = "\(VersionText(image.header.version))"
    if isJSON { console.out.writeLine(BoardBench.json(outcome, of: sender, version, seconds)) }
    switch outcome {
    case .received(let slot, let restarts):
      if !isJSON {
        console.out.writeLine(
          "version \(version) is whole in slot \(slot): \(sender.sentCount) bytes sent in \(TimeText.decimal(seconds, 1)) s, "
            + "\(sender.repeatedCount) pieces twice; "
            + (restarts
              ? "the board restarts with it"
              : "the board restarts with it when nothing waits to be delivered, or at once by leash bench-board \(path) restart")
        )
      }
      return .success
    case .refused(let refusal):
      throw .check("\(path): the board refuses the image: \(UpdateWords.words(refusal, image, sender.state))")
    case .noSlots:
      throw .check("\(path): the image that runs is in no slot and takes no other; expected one such as live-a")
    case .stuck:
      throw .check(
        "\(path): the transfer does not go on at byte \(sender.place) of \(sender.length); does another program use the port?"
      )
    case .silent:
      throw .environment(
        "\(path): the board has become silent at byte \(sender.place) of \(sender.length); the same command goes on where it is"
      )
    }
  }

  private static func json(_ outcome: UpdateOutcome, of sender: UpdateSender, _ version: String, _ seconds: Double)
    -> String
  {
    var (word, reason, slot, restarts) = ("", "null", "null", false)
    switch outcome {
    case .received(let name, let flag): (word, slot, restarts) = ("received", "\"\(name)\"", flag)
    case .refused(let refusal): (word, reason) = ("refused", "\"\(refusal.name)\"")
    case .noSlots: word = "no slots"
    case .silent: word = "silent"
    case .stuck: word = "stuck"
    }
    return
      "{\"outcome\":\"\(word)\",\"reason\":\(reason),\"slot\":\(slot),\"version\":\"\(version)\",\"bytes\":\(sender.length),"
      + "\"place\":\(sender.place),\"sent\":\(sender.sentCount),\"repeated\":\(sender.repeatedCount),"
      + "\"seconds\":\(TimeText.decimal(seconds, 3)),\"restarts\":\(restarts)}"
  }
}

/// Why a board refuses an image, and what would be right.
enum UpdateWords {
  /// - Parameter state: What the board has told of itself.
  static func words(_ refusal: UpdateRefusal, _ image: FirmwareFile, _ state: UpdateState?) -> String {
    let header = image.header
    let name = String(decoding: (4..<20).map { header.bytes[$0] }.filter { $0 != 0 }, as: UTF8.self)
    let own = "\(VersionText(header.version))"
    let running = state?.version ?? "unknown"
    let text =
      switch refusal {
      case .header: "its header is damaged; expected a file as leash firmware sign writes it"
      case .board: "it is for the board '\(name)'; expected one for '\(state?.board ?? "unknown")'"
      case .place:
        "it was linked for \(LinkedImage.hexadecimal(Int(header.place))); expected the one for slot \(state?.slot ?? "unknown") at "
          + LinkedImage.hexadecimal(state?.place ?? 0)
      case .length:
        "its header tells \(header.length) bytes, and the file has \(image.content.count); expected both the same, "
          + "from 1 to \(state?.room ?? 0)"
      case .version: "it is version \(own) and \(running) runs; expected a newer one"
      case .key:
        "it names the key \(FirmwareCommand.hexadecimal((96..<104).map { header.bytes[$0] }).uppercased())…; "
          + "expected \(state?.key ?? "unknown")…"
      case .signature:
        "it was not signed with the key that it names, or its header was changed; expected it signed anew"
      case .content: "its bytes are not those that were signed; expected a whole file, which leash firmware show tells"
      case .trial: "version \(running), which runs, is not confirmed yet; expected a packet of it delivered before"
      case .order:
        "another image is on its way to it; expected its end, or \(UpdateConsole.patience / 1000) s without a piece of it"
      case .memory: "its flash memory fails; expected a memory that takes what is written, and the old image runs on"
      }
    return "\(refusal.name): \(text)"
  }
}

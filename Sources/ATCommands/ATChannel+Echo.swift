import InlineStorage

extension ATChannel {
  var isEcho: Bool {
    if case .probing = activity { return isProbe }
    guard sent.count == line.count else { return false }
    var place = 0
    while place < sent.count {
      if sent[place] != line[place] { return false }
      place += 1
    }
    return true
  }

  /// A line that begins as commands do, or ends as this one: what came back of it.
  var looksLikeEcho: Bool {
    let view = ATLine(line.span)
    if view.begins(with: "AT") { return true }
    guard line.count >= 4, sent.count >= 4 else { return false }
    var place = 1
    while place <= 4 {
      if line[line.count - place] != sent[sent.count - place] { return false }
      place += 1
    }
    return true
  }

  /// The line is the command without one byte before its parameters.
  var endsAsSent: Bool {
    guard line.count + 1 == sent.count else { return false }
    var place = 0
    while place < line.count, sent[place] != 0x3D { place += 1 }
    while place < sent.count, sent[place] == line[place - 1] { place += 1 }
    return place == sent.count
  }

  var isProbe: Bool {
    let view = ATLine(line.span)
    return view.equals("AT") || view.begins(with: "ATE1") || view.equals("\u{1B}AT")
  }

  /// True for what came back of a fence or a probe, or of a question where none is asked.
  var isEchoOfFence: Bool {
    if isProbe { return true }
    let view = ATLine(line.span)
    if view.begins(with: "AT"), line.count > 3, ATLine(line.span.extracting(2..<line.count)).equals(Dialect.fence) {
      return true
    }
    return view.begins(with: "AT") && line[line.count - 1] == 0x3F && sent.count > 0 && sent[sent.count - 1] != 0x3F
  }

  /// A line that has lost one byte of the name that is awaited, and none behind it, gets that back: it is no other.
  @inline(never) mutating func mendName(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    guard line.count >= count, line.count <= 64, line[count - 1] == 0x3A else { return }
    var place = 0
    while place < count, line[place] == name.utf8Start[place] { place += 1 }
    while place + 1 < count {
      guard line[place] == name.utf8Start[place + 1] else { return }
      place += 1
    }
    var rest = InlineBytes<64>()
    rest.append(contentsOf: line.span.extracting(place..<line.count))
    line.removeAll()
    line.append(name)
    line.append(contentsOf: rest.span)
  }
}

import FoundationEssentials
import LinuxRuntime
import TrackerCore
import TrackerRuntime

/// `leash gear`: bikes, shoes and other gear of the running tracker.
enum GearCommand {
  static let command = Command(
    "gear", "List, change, import and export bikes, shoes and other gear",
    discussion: """
      The running tracker counts what is ridden on its gear, and reports when a service counter is due. docs/gear.md \
      explains it. Changes are sent to the local socket, as by 'leash tell gear ...'.
      """,
    subcommands: [
      GearListCommand.command, GearRidesCommand.command,
      change(
        "add", "Add gear", ["NAME", "KIND"], others: ("FIELD VALUE", .any),
        """
        KIND is a word such as bike, shoes or climbing. FIELD is uuid, make, model, year, id (that of a service) or \
        distance (metres ridden before).
        """),
      change(
        "set", "Change gear", ["GEAR", "FIELD", "VALUE"], others: ("FIELD VALUE", .any),
        """
        FIELD is name, kind, uuid, make, model, year, id or distance; 'distance' corrects the distance; the previous one \
        is kept.
        """),
      change("show", "Show the distance of gear, and the first counter that is due", ["GEAR"], ""),
      change("use", "Say which gear the tracker is on", ["GEAR"], "'none' means that it is on no gear."),
      change(
        "counter", "Add, change or delete a service counter", ["GEAR", "NAME", "MEASURE"], others: ("DUE", .optional),
        """
        'distance 3000000' is due after so many metres, 'moving 100' after so many hours, 'days 365' after so many \
        days; 'delete' instead deletes the counter.
        """),
      change("reset", "Reset a service counter", ["GEAR", "NAME"], ""),
      change(
        "assign", "Say which gear a ride was on", ["RIDE", "GEAR"],
        "'leash gear rides' lists the rides with their numbers; 'none' means that it was on no gear."),
      change("delete", "Delete gear with its counters", ["GEAR"], "Its rides then belong to no gear."),
      GearImportCommand.command, GearExportCommand.command,
    ])

  /// A command that is a request of the same words.
  private static func change(
    _ verb: String, _ summary: String, _ words: [String], others: (name: String, count: Positional.Count)? = nil,
    _ discussion: String
  ) -> Command {
    var positionals = words.map { Positional($0, help(of: $0)) }
    if let others { positionals.append(Positional(others.name, count: others.count, help(of: others.name))) }
    let all = positionals
    return Command(
      verb, summary, discussion: discussion, parameters: all.map { .positional($0) } + [.option(ControlOptions.socket)]
    ) { arguments, console throws(CommandFailure) in
      for request in requests(verb, all.flatMap { arguments[$0] }) {
        guard let answer = try tell(request, arguments, console) else { return .checkFailed }
        console.out.writeLine(answer)
      }
      return .success
    }
  }

  /// What an argument is.
  private static func help(of word: String) -> String {
    switch word {
    case "GEAR": "The name of the gear. A name with spaces is one argument."
    case "NAME": "A name. One with spaces is one argument."
    case "KIND": "What it is."
    case "FIELD": "What is changed."
    case "VALUE": "Its new value."
    case "FIELD VALUE": "More fields, each with its value."
    case "MEASURE": "What it counts."
    case "DUE": "When it is due."
    default: "The number of the ride."
    }
  }

  /// The requests of some words: those of a request that is too long are shared out.
  static func requests(_ verb: String, _ words: [String]) -> [String] {
    func request(_ verb: String, _ words: [String]) -> String {
      ([verb] + words.map(quoted)).joined(separator: " ")
    }
    let (head, step) = verb == "add" ? (2, 2) : (1, 2)
    guard verb == "add" || verb == "set", request(verb, words).utf8.count > longestRequest, words.count > head else {
      return ["gear " + request(verb, words)]
    }
    var result: [String] = []
    var (verb, current) = (verb, Array(words[..<head]))
    var place = head
    while place < words.count {
      let next = Array(words[place..<min(place + step, words.count)])
      let isFirst = verb == "set" && current.count == 1
      if !isFirst, request(verb, current + next).utf8.count > longestRequest {
        result.append("gear " + request(verb, current))
        (verb, current) = ("set", [words[0]])
      }
      current += next
      place += step
    }
    result.append("gear " + request(verb, current))
    return result
  }

  /// Bytes behind `gear` that a request has room for.
  private static var longestRequest: Int { 120 }

  static func quoted(_ word: String) -> String {
    word.isEmpty || word.contains(" ") ? "\"\(word)\"" : word
  }

  /// Sends a request to the running tracker.
  ///
  /// - Returns: What it answered; nil when the configuration has problems, which have been told.
  /// - Throws: When it was refused.
  static func tell(
    _ text: String, _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) -> String? {
    guard let answer = try ControlOptions.ask(.command(text), arguments, console) else { return nil }
    guard let reply = try? JSONDecoder().decode(RequestReply.self, from: Data(answer)) else {
      throw .environment("the answer is from another version of leash")
    }
    if let reason = reply.error {
      guard reason.hasPrefix("refused: ") else { throw .usage(RequestKind.complaint(about: text)) }
      throw .check("the tracker refused it: \(reason.dropFirst(9))")
    }
    guard reply.accepted == true else { throw .check("the tracker refused it: \(explanation(reply.value ?? ""))") }
    return reply.value ?? reply.answer ?? "accepted"
  }

  /// A reason in words.
  static func explanation(_ reason: String) -> String {
    let words: String? =
      switch reason {
      case "nameTooLong": "the name has more than 32 bytes"
      case "badName": "a name can't have control characters or quotes, or be 'none'"
      case "takenName": "other gear has this name"
      case "badKind": "a kind is one word of up to 16 bytes"
      case "badText": "make and model have up to 32 bytes"
      case "badUUID": "it is no UUID such as 1b4e28ba-2fa1-41d2-883f-0016d3cca427"
      case "takenUUID": "other gear has this UUID"
      case "badYear": "a model year is 1850 to 2100"
      case "badID": "an id is one word of up to 24 bytes"
      case "takenID": "other gear has this id"
      case "badDistance": "the distance is too long"
      case "tooManyGears": "there are eight already; delete one first"
      case "tooManyCounters": "it has eight counters already; delete one first"
      case "unknownGear": "there is no gear of this name; 'leash gear list' shows all"
      case "unknownCounter": "it has no counter of this name"
      case "unknownRide": "there is no ride of this number, or it is too long ago; 'leash gear rides' shows all"
      default: nil
      }
    return words ?? (reason.isEmpty ? "no reason given" : reason)
  }

  /// The gear of the running tracker; nil when the configuration has problems, which have been told.
  static func ask(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> (GearStatus, [UInt8])? {
    guard let answer = try ControlOptions.ask(.gear, arguments, console) else { return nil }
    guard let status = try? JSONDecoder().decode(GearStatus.self, from: Data(answer)) else {
      throw .environment("the answer is from another version of leash")
    }
    return (status, answer)
  }
}

/// `leash gear list`: all gear with its counters.
enum GearListCommand {
  static let json = Flag("json", "Print one JSON object with all gear and the last rides.")

  static let command = Command(
    "list", "List the gear of the running tracker",
    discussion: """
      The gear that the tracker is on is marked with '*'. Below each are its counters, with how much of each limit is used.
      """,
    parameters: [.option(ControlOptions.socket), .flag(json)]
  ) { arguments, console throws(CommandFailure) in
    guard let (status, answer) = try GearCommand.ask(arguments, console) else { return .checkFailed }
    if arguments[json] {
      console.out.append(bytes: answer.span)
      console.out.append(0x0A)
      return .success
    }
    console.out.write(status.gear.isEmpty ? "no gear\n" : table(status))
    return .success
  }

  static func table(_ status: GearStatus) -> String {
    var table = TextTable(
      ("", .left), ("gear", .left), ("kind", .left), ("make and model", .left), ("distance", .right), ("", .left),
      ("moving", .right), ("rides", .right))
    for item in status.gear {
      let model = [item.make, item.model, item.year.map { "\($0)" }].compactMap { $0 }.joined(separator: " ")
      table.add(
        item.isPresent ? "*" : "", item.name, item.kind, model, TimeText.distance(Double(item.distanceMetres)),
        item.source == "measured" ? "" : item.source, TimeText.length(.seconds(Int(item.movingSeconds))),
        "\(item.rides)")
      for counter in item.counters {
        table.add("", "  \(counter.name)", "", amounts(counter), "", counter.isDue ? "due" : "")
      }
    }
    return table.text()
  }

  private static func amounts(_ counter: GearStatus.Counter) -> String {
    switch counter.counts {
    case "distance":
      "\(TimeText.distance(Double(counter.value))) of \(TimeText.distance(Double(counter.due)))"
    case "moving":
      "\(TimeText.length(.seconds(Int(counter.value)))) of \(TimeText.count(Int(counter.due / 3600))) h"
    default: "\(TimeText.count(Int(counter.value))) of \(TimeText.count(Int(counter.due))) days"
    }
  }
}

/// `leash gear rides`: the last rides and their gear.
enum GearRidesCommand {
  static let command = Command(
    "rides", "List the last rides and which gear they were on",
    discussion: """
      The tracker remembers 80 rides. 'leash gear assign' gives one to other gear.
      """,
    parameters: [.option(ControlOptions.socket), .flag(GearListCommand.json)]
  ) { arguments, console throws(CommandFailure) in
    guard let (status, answer) = try GearCommand.ask(arguments, console) else { return .checkFailed }
    if arguments[GearListCommand.json] {
      console.out.append(bytes: answer.span)
      console.out.append(0x0A)
      return .success
    }
    var table = TextTable(("ride", .right), ("start", .left), ("distance", .right), ("moving", .right), ("gear", .left))
    for ride in status.rides {
      table.add(
        "\(ride.number)", ride.start.map { GearExportCommand.moment($0) } ?? "",
        TimeText.distance(Double(ride.distanceMetres)), TimeText.length(.seconds(Int(ride.movingSeconds))),
        ride.gear ?? "none")
    }
    console.out.write(status.rides.isEmpty ? "no rides\n" : table.text())
    return .success
  }
}

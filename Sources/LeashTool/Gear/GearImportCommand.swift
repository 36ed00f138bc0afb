import JSON5
import LinuxRuntime

/// `leash gear import`: the bikes and shoes of a service.
enum GearImportCommand {
  static let file = Positional("FILE", "The service's answer as JSON; - for standard input.")
  static let json = Flag("json", "Print one JSON object with what was added, known and refused.")

  static let command = Command(
    "import", "Add the bikes and shoes that a service lists",
    discussion: """
      Reads Strava's answer about an athlete, with the lists 'bikes' and 'shoes', or such a list alone. It reads id, name \
      and distance in metres of each, and brand_name, model_name and primary if present. The distance counts as \
      imported. Gear whose id the tracker has is left as it is, so a file can be imported again. The primary bike \
      becomes the present gear if there is none. Exits with 1 if something was refused.
      """,
    parameters: [.option(ControlOptions.socket), .flag(json), .positional(file)]
  ) { arguments, console throws(CommandFailure) in
    let list: ServiceGear
    do throws(BoardConfigurationFailure) {
      list = try ServiceGear(path: arguments[file].first ?? "")
    } catch {
      guard case .invalid(let lines) = error else { throw .environment(error.lines.first ?? "") }
      for line in lines { console.err.writeLine(line) }
      return .checkFailed
    }
    guard let (status, _) = try GearCommand.ask(arguments, console) else { return .checkFailed }
    var (added, known) = (0, 0)
    var refusals: [String] = []
    for item in list.items {
      guard !status.gear.contains(where: { $0.id == item.id }) else {
        known += 1
        continue
      }
      do throws(CommandFailure) {
        for request in item.requests {
          guard try GearCommand.tell(request, arguments, console) != nil else { return .checkFailed }
        }
        added += 1
      } catch {
        guard error.exitCode != .environment else { throw error }
        refusals.append("\(list.name): \(item.name): \(error.message)")
      }
    }
    if let primary = list.items.first(where: \.isPrimary), !status.gear.contains(where: \.isPresent), added > 0,
      let (now, _) = try GearCommand.ask(arguments, console),
      let item = now.gear.first(where: { $0.id == primary.id })
    {
      _ = try GearCommand.tell("gear use \(GearCommand.quoted(item.name))", arguments, console)
    }
    if arguments[json] {
      let texts = refusals.map(json5Quoted).joined(separator: ",")
      console.out.writeLine("{\"added\":\(added),\"known\":\(known),\"refused\":[\(texts)]}")
    } else {
      for line in refusals { console.err.writeLine(line) }
      console.out.writeLine(
        "\(list.name): \(added) added, \(known) known before"
          + (refusals.isEmpty ? "" : ", \(refusals.count) refused"))
    }
    return refusals.isEmpty ? .success : .checkFailed
  }
}

extension ServiceGear.Item {
  /// The requests that add it.
  var requests: [String] {
    var words = [fitting(name), kind, "id", id]
    if let make, !make.isEmpty { words += ["make", fitting(make)] }
    if let model, !model.isEmpty { words += ["model", fitting(model)] }
    if metres > 0 { words += ["distance", "\(metres)"] }
    return GearCommand.requests("add", words)
  }
}

/// As much of a name as gear has room for, without what no name has.
private func fitting(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    let next = scalar == "\"" ? "'" : scalar.value < 0x20 || scalar.value == 0x7F ? " " : String(scalar)
    guard result.utf8.count + next.utf8.count <= 32 else { break }
    result += next
  }
  while result.last == " " { result.removeLast() }
  return result
}

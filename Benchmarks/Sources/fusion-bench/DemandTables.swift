/// What is asked of the filter beyond its accuracy on whole recordings.
struct Demands: Codable {
  var interruptions: [Interruptions] = []
  var normalized: NormalizedErrors?
  /// 9D totals of each setting of `HalvedChoice`: as recorded, and with hard iron.
  var settings: [[Double]] = []
  var choices: [HalvedChoice] = []
  var magnetic: [MagneticResult] = []
  var drives: [DriveResult] = []

  func markdown(trials: [String]) -> String {
    var text = "\n## Gaps and starts in movement\n\n" + interruptionTable().text
    if let normalized {
      text += "\n## Errors in units of the stated uncertainty\n\n" + table(of: normalized, trials).text
    }
    if !drives.isEmpty {
      text +=
        "\n## Drives with other sensors\n\n" + driveTable().text + "\nTilt in the vehicle:\n\n" + tiltTable().text
        + "\nWith another bias about the vertical laid on:\n\n"
        + laidTable().text
    }
    if !magnetic.isEmpty { text += "\n## Faults of the magnetic field, heading\n\n" + magneticTable().text }
    text += "\n## Parameters changed one at a time, 9D total\n\n" + settingTable().text
    text += "\n## Parameters chosen on one half, shown on the other, 9D total\n\n" + choiceTable().text
    return text
  }

  private func interruptionTable() -> MarkdownTable {
    var table = MarkdownTable([
      "", "0.3 s missing: heading", "inclination", "1 s: heading", "inclination", "2 s: heading", "inclination",
      "starts > 10°", "> 90°",
    ])
    for row in interruptions {
      table.add(
        [row.name] + row.gaps.flatMap { [decimal($0.heading, 1), decimal($0.inclination, 2)] } + [
          "\(row.startsBeyond10) of \(row.starts)", "\(row.startsBeyond90)",
        ])
    }
    return table
  }

  private func table(of errors: NormalizedErrors, _ trials: [String]) -> MarkdownTable {
    var table = MarkdownTable(
      [""] + errors.phases.flatMap { ["heading, \($0.name)", "tilt, \($0.name)"] })
    for (place, trial) in trials.enumerated() {
      table.add([trial] + errors.phases.flatMap { [decimal($0.heading[place], 2), decimal($0.tilt[place], 2)] })
    }
    table.add(["**mean**"] + errors.phases.flatMap { [decimal(meanOf($0.heading), 2), decimal(meanOf($0.tilt), 2)] })
    table.add(
      ["rows beyond three, %"]
        + errors.phases.flatMap { [decimal(100 * $0.headingBeyondThree, 2), decimal(100 * $0.tiltBeyondThree, 2)] })
    return table
  }

  func driveTable() -> MarkdownTable {
    let names = (drives.first?.heading.keys.sorted() ?? [])
    var table = MarkdownTable(
      [""] + names.map { "6D drift, °/s: \($0)" } + names.map { "9D heading, °: \($0)" }
        + ["starts", "beyond three, %", "most", "largest bias, °/s"])
    for row in drives {
      table.add(
        [row.name]
          + names.map { "\(decimal(row.median[$0] ?? .nan, 2)), at most \(decimal(row.largest[$0] ?? .nan, 2))" }
          + names.map { decimal(row.heading[$0] ?? .nan, 1) } + [
            "\(row.starts)", decimal(100 * row.beyond, 1), decimal(row.worst, 1), decimal(row.bias, 1),
          ])
    }
    return table
  }

  func tiltTable() -> MarkdownTable {
    let names = (drives.first?.tilt.keys.sorted() ?? [])
    var table = MarkdownTable(
      [""] + names.map { "6D tilt, °: \($0)" } + [
        "stated per axis, °", "squared errors in its units", "beyond three, %", "most", "the truth's own doubt, °",
      ])
    for row in drives {
      let own = row.tilt[OurName.withoutLatency] ?? DriveTilt.Result()
      table.add(
        [row.name] + names.map { decimal(row.tilt[$0]?.error ?? .nan, 1) } + [
          decimal(own.stated, 1), decimal(own.squared, 2), decimal(100 * own.beyond, 1), decimal(own.worst, 1),
          decimal(row.tiltDoubt, 1),
        ])
    }
    return table
  }

  func laidTable() -> MarkdownTable {
    let names = (drives.first?.heading.keys.sorted() ?? [])
    var table = MarkdownTable(
      ["", "bias, °/s"] + names.map { "9D heading, °: \($0)" } + ["beyond three, %", "most"])
    for row in drives {
      for laid in row.laid {
        table.add(
          [row.name, decimal(laid.bias, 0)] + names.map { decimal(laid.heading[$0] ?? .nan, 1) } + [
            decimal(100 * laid.beyond, 1), decimal(laid.worst, 1),
          ])
      }
    }
    return table
  }

  private func magneticTable() -> MarkdownTable {
    let names = magnetic[0].heading.keys.sorted()
    var table = MarkdownTable(
      ["", "trials", "cases"] + names + ["beyond three deviations, %", "> 12° in the next rest", "of them beyond"])
    for row in magnetic {
      table.add(
        [row.fault.rawValue, row.half, "\(row.cases)"] + names.map { decimal(row.heading[$0] ?? .nan, 1) } + [
          decimal(100 * row.beyond, 1), "\(row.wrongRests) of \(row.rests)", "\(row.unsaidRests)",
        ])
    }
    return table
  }

  private func settingTable() -> MarkdownTable {
    var table = MarkdownTable(["", "as recorded", "hard iron (10, −8, 6) µT"])
    for (setting, values) in zip(HalvedChoice.settings, settings) {
      table.add([setting.name] + values.map { decimal($0, 2) })
    }
    return table
  }

  private func choiceTable() -> MarkdownTable {
    var table = MarkdownTable([
      "", "chosen on the first", "on the second", "first: own", "other", "second: own", "other",
    ])
    for choice in choices {
      table.add([
        choice.split, choice.chosen[0], choice.chosen[1], decimal(choice.own[0], 2), decimal(choice.other[0], 2),
        decimal(choice.own[1], 2), decimal(choice.other[1], 2),
      ])
    }
    return table
  }
}

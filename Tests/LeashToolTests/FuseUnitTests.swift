import Testing

@testable import LeashTool

/// Columns of `leash fuse` in another unit.
@Suite struct FuseUnitTests {
  /// What is told about a sensor that lies flat, whose force and field have these lengths.
  private func told(force: Double, field: Double, rows: Int = 300, _ arguments: String...) throws -> String {
    var text = "t_s,gx,gy,gz,ax,ay,az,mx,my,mz\n"
    for row in 0..<rows {
      let noise = Double(row % 7) * 0.001
      text += "\(Double(row) / 100),\(noise),0,\(-noise),\(force * noise),0,\(force),0,\(field * 0.6),\(-field * 0.8)\n"
    }
    let folder = try TemporaryFolder()
    let run = ToolRun(["fuse", try folder.file("imu.csv", text), "--output", "-"] + arguments)
    #expect(run.code == .success)
    return run.err
  }

  @Test(arguments: [(1.0, "g"), (1000, "mg or cm/s²"), (981, "mg or cm/s²")]) func aForceInAnotherUnitIsTold(
    length: Double, unit: String
  )
    throws
  {
    let told = try told(force: length, field: 48)
    #expect(told.contains("taken for m/s², and seem to be in \(unit)\n"), "\(told)")
    #expect(!told.contains("magnetic"))
  }

  @Test(arguments: [(0.48, "gauss"), (480, "mgauss"), (48_000, "nT"), (0.048, "mT"), (4.8e-5, "T")])
  func aFieldInAnotherUnitIsToldWhereItIsUsed(length: Double, unit: String) throws {
    let told = try told(force: 9.81, field: length)
    #expect(told.contains("taken for µT, and seem to be in \(unit)\n"), "\(told)")
    #expect(!told.contains("specific force"))
    #expect(try !self.told(force: 9.81, field: length, "--mode", "6d").contains("magnetic"))
  }

  @Test func whatIsLikelyOrShortOrOfNoUnitIsNotGuessedAt() throws {
    for field in [22.0, 48, 67] { #expect(try told(force: 9.81, field: field).isEmpty, "\(field)") }
    #expect(try told(force: 1, field: 48, rows: 99).isEmpty)
    #expect(try told(force: 1, field: 48, rows: 100).contains("in g"))
    let odd = try told(force: 31, field: 48)
    #expect(odd.contains("31.00 long on average") && !odd.contains("seem to be"), "\(odd)")
  }
}

import Testing

/// What users of the libraries see: `Tests/Limits/public.counts` bounds it, module by module.
@Suite struct SurfaceTests {
  /// Declarations that are public, imports not counted.
  static func publicCount(of module: String) -> Int {
    Repository.swiftFiles(in: "Sources/\(module)").flatMap(\.codeLines).count { line in
      let words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
      guard let place = words.firstIndex(of: "public"), place < 2 else { return false }
      return words.last == "public" || words[place + 1] != "import"
    }
  }

  private static func bounds() throws -> [String: Int] {
    var bounds: [String: Int] = [:]
    for line in try Repository.text(of: "Tests/Limits/public.counts").split(separator: "\n") where !line.hasPrefix("#")
    {
      let words = line.split(separator: " ")
      bounds[String(words[0])] = words.count == 2 ? Int(words[1]) : nil
    }
    return bounds
  }

  @Test func noModuleOffersMoreThanIsListedOrMuchLess() throws {
    let bounds = try Self.bounds()
    for module in Repository.folders(in: "Sources") {
      let count = Self.publicCount(of: module)
      guard count > 0 else { continue }
      let bound = try #require(bounds[module], "Tests/Limits/public.counts has no line for \(module): \(count)")
      #expect(
        count <= bound,
        """
        \(module) has \(count) public declarations, Tests/Limits/public.counts allows \(bound): make new ones 'package', \
        or raise it when users of the library need them
        """)
      #expect(count * 10 >= bound * 9, "\(module) has \(count) public declarations: lower its line, \(bound)")
    }
  }

  @Test func everyLineIsOfAModuleWithSomethingPublic() throws {
    for module in try Self.bounds().keys {
      #expect(Self.publicCount(of: module) > 0, "Tests/Limits/public.counts: \(module) has nothing public")
    }
  }

  /// A command or notice of the modem, and a line of its dialogue, is the driver's own affair.
  @Test func theCommandsOfTheModemAreNobodysButTheDrivers() {
    for folder in ["Sources/SIM7000/Commands", "Sources/SIM7000/Notices"] {
      for file in Repository.swiftFiles(in: folder) {
        let types = file.codeLines.compactMap { $0.firstMatch(of: /^(?:@\w+ )*public enum ([A-Z0-9]+)\b/)?.1 }
        #expect(types.isEmpty, "\(file.path): \(types) should be package")
      }
    }
  }
}

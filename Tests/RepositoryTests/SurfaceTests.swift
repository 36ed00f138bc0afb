import Testing

/// What users of the libraries see: `Tests/Limits/public.counts` bounds it, module by module.
@Suite struct SurfaceTests {
  /// Declarations that are public, imports not counted, of each module that has some.
  private static let counts: [String: Int] = {
    var counts: [String: Int] = [:]
    for module in Repository.folders(in: "Sources") {
      for file in Repository.swiftFiles(in: "Sources/\(module)") {
        for line in file.text.utf8.split(separator: 0x0A) {
          let words = line.split(separator: 0x20).prefix(6).map { String(decoding: $0, as: UTF8.self) }
          // Before it stand attributes alone.
          guard let place = words.firstIndex(of: "public"), words.dropFirst(place + 1).first != "import",
            words[..<place].allSatisfy({ $0.hasPrefix("@") || $0.hasSuffix(")") || $0 == "internal" || $0 == "final" })
          else { continue }
          counts[module, default: 0] += 1
        }
      }
    }
    return counts
  }()

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
    for (module, count) in Self.counts {
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
      #expect(Self.counts[module] != nil, "Tests/Limits/public.counts: \(module) has nothing public")
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

import Foundation
import Testing

/// Parameters of the product, and the tests that stand on either side of each: `Tests/Limits/MODULE.limits`.
@Suite struct ParameterTests {
  /// Settings of simulators and of tools for the bench are no parameters of a tracker.
  static let modulesWithout: Set<String> = ["ModemSimulation", "ModemBridge", "LeashTool", "StatusPage"]

  /// `Type.property` of every public stored property of a type called …Parameters, …Configuration or …Wiring.
  static func parameters(of module: String) -> [String] {
    let declarations = Repository.swiftFiles(in: "Sources/\(module)").flatMap { stored(in: $0) }
    let types = Set(declarations.map(\.type))
    // A property that holds another such type is listed by its parts.
    return declarations.filter { !types.contains($0.initial) && !$0.initial.hasSuffix("Parameters") }
      .map { "\($0.type).\($0.name)" }
  }

  private struct Declaration {
    var type: String
    var name: String
    /// The type that makes the initial value, or is declared; empty when that is a literal.
    var initial: String
  }

  private static func stored(in file: Repository.TextFile) -> [Declaration] {
    guard file.text.contains(/(?:public|package) struct \w+(?:Parameters|Configuration|Wiring)\b/) else { return [] }
    var result: [Declaration] = []
    var type: String?
    for line in file.codeLines {
      if line == "}" { type = nil }
      if let match = line.firstMatch(
        of: /^(?:@\w+ )*(?:public|package) struct (\w+(?:Parameters|Configuration|Wiring))\b/)
      {
        type = String(match.1)
      }
      guard let type, !line.hasSuffix("{"), !line.hasSuffix("}") || line.hasSuffix("{ get }"),
        let match = line.firstMatch(of: /^  (?:public|package) (?:var|let) (\w+)(?:: (\w+)\??)?(?: = (\w+)\()?/)
      else { continue }
      result.append(Declaration(type: type, name: String(match.1), initial: String(match.3 ?? match.2 ?? "")))
    }
    return result
  }

  /// The lists: which tests each parameter names, with the place of its line.
  static func lists() throws -> [String: (tests: [String], place: String)] {
    var result: [String: (tests: [String], place: String)] = [:]
    let folder = Repository.root.appending(path: "Tests/Limits")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(".limits") {
      let lines = try Repository.text(of: "Tests/Limits/\(name)").split(
        separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
        let place = "Tests/Limits/\(name):\(number + 1)"
        let words = line.split(separator: " ", maxSplits: 1)
        let tests = (words.count == 2 ? words[1] : "").split(separator: ",").map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(!tests.isEmpty, "\(place): 'Type.property Target.testName' is expected")
        #expect(result[String(words[0])] == nil, "\(place): \(words[0]) stands twice")
        result[String(words[0])] = (tests, place)
      }
    }
    return result
  }

  @Test func everyParameterHasATestOnEitherSideOfIt() throws {
    let lists = try Self.lists()
    for module in Repository.folders(in: "Sources") where !Self.modulesWithout.contains(module) {
      for parameter in Self.parameters(of: module) {
        #expect(lists[parameter] != nil, "Tests/Limits/\(module).limits names no test on either side of \(parameter)")
      }
    }
  }

  @Test func everyTestThatIsNamedIsThere() throws {
    var known: Set<String> = []
    for target in Repository.folders(in: "Tests") {
      for file in Repository.swiftFiles(in: "Tests/\(target)") where file.text.contains("@Test") {
        for match in file.text.matches(of: /func (\w+)\(/) { known.insert("\(target).\(match.1)") }
      }
    }
    for (parameter, entry) in try Self.lists() {
      for test in entry.tests {
        #expect(known.contains(test), "\(entry.place): there is no test \(test) for \(parameter)")
      }
    }
  }

  @Test func parametersAreFoundWhereTheyAre() {
    // The list of what must be tested would be empty if the sources were read wrongly.
    #expect(Self.parameters(of: "MotionDetection").contains("MotionParameters.armAfter"))
    #expect(!Self.parameters(of: "MotionDetection").contains("MotionParameters.rest"))
    #expect(Self.parameters(of: "SIM7000").contains("ModemWiring.hasStatus"))
    #expect(Self.parameters(of: "TrackerCore").contains("ReportParameters.staleAfter"))
    #expect(Self.parameters(of: "InertialFusion").count > 60)
  }
}

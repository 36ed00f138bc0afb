import Foundation
import OtherPrograms
import Testing

/// `swift test --filter` asks the test program for names, and runs it with those that are wanted.
@Suite struct TestListTests {
  private func output(of arguments: String...) throws -> String {
    // What tests say goes to the standard error.
    let run = try OtherProgram.output(
      of: [URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path] + arguments)
    return run.out + run.err
  }

  @Test func everyTestIsListedForThePackageManager() throws {
    struct Node: Decodable {
      var name: String
      var tests: [Node]?
    }
    let list = try JSONDecoder().decode(Node.self, from: Data(try output(of: "--dump-tests-json").utf8))
    let suites = try #require(list.tests?.first?.tests)
    let names = suites.flatMap { suite in (suite.tests ?? []).map { "\(suite.name)/\($0.name)" } }
    #expect(names.contains("RepositoryTests.TestListTests/everyTestIsListedForThePackageManager()"))
    #expect(names.contains { $0.contains(".-/") }, "tests without a suite are there")
    #expect(names.count > 500 && Set(names).count == names.count)
  }

  @Test func namesRunThoseTestsAndNoOthers() throws {
    let one = "RepositoryTests.SmallTests/one()"
    let free = "RepositoryTests.-/aTestWithoutASuite()"
    #expect(try output(of: one).contains("Test run with 1 test in 1 suite passed"))
    #expect(try output(of: "\(free),\(one)").contains("Test run with 2 tests in 1 suite passed"))
    #expect(try output(of: "RepositoryTests.SmallTests/on()").contains("Test run with 0 tests"))
  }
}

/// What `namesRunThoseTestsAndNoOthers` runs.
@Suite struct SmallTests {
  @Test func one() {}
  @Test func oneAndAnother() {}
}

@Test func aTestWithoutASuite() {}

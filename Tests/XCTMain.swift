import Foundation
import Testing

/// The entry point of all tests. There are none for XCTest, so the package manager needs no index of the sources to find them, and a
/// build without an index takes a sixth less time.
///
/// Where there is such an entry point, `swift test` knows the tests of XCTest alone, and runs this program as it would run those: with
/// `--dump-tests-json` for their names, and with the names that `--filter` leaves. So the names of Swift Testing's are given in that
/// form, and taken back.
@main struct TestRunner {
  static func main() async {
    let arguments = Array(ProcessInfo.processInfo.arguments.dropFirst())
    if arguments.contains("--dump-tests-json") {
      do {
        print(try names(asJSONOf: list()))
      } catch {
        print("tests: can't list them: \(error)")
        exit(3)
      }
    } else if arguments.contains("--testing-library") {
      await Testing.__swiftPMEntryPoint() as Never
    } else {
      let names = arguments.filter { !$0.hasPrefix("-") }.flatMap { $0.split(separator: ",") }.map { filter($0) }
      run(names.isEmpty ? [] : ["--filter", "^(\(names.joined(separator: "|")))(/|$)"])
    }
  }

  /// `Module.Suite/test()` of each test, `Module.test()` of one without a suite.
  private static func list() throws -> [Substring] {
    let child = Process()
    let pipe = Pipe()
    child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    child.arguments = ["--testing-library", "swift-testing", "--list-tests"]
    child.standardOutput = pipe
    try child.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    child.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  /// XCTest's tests are methods of a class: one without a suite is given as one of a class `-`.
  private static func names(asJSONOf tests: [Substring]) throws -> String {
    struct Suite: Encodable {
      struct Test: Encodable { var name: String }
      var name: String
      var tests: [Test]
    }
    struct Bundle: Encodable {
      var name: String
      var tests: [Suite]
    }
    var suites: [String: [Suite.Test]] = [:]
    for test in tests {
      if let end = test.firstIndex(of: "/") {
        suites[String(test[..<end]), default: []].append(Suite.Test(name: String(test[test.index(after: end)...])))
      } else if let end = test.firstIndex(of: ".") {
        suites[test[..<end] + ".-", default: []].append(Suite.Test(name: String(test[test.index(after: end)...])))
      }
    }
    let bundle = Bundle(
      name: "LeashPackageTests.xctest",
      tests: suites.sorted { $0.key < $1.key }.map { Suite(name: $0.key, tests: $0.value) })
    struct All: Encodable {
      var name = "All tests"
      var tests: [Bundle]
    }
    return String(decoding: try JSONEncoder().encode(All(tests: [bundle])), as: UTF8.self)
  }

  /// A name of XCTest's form as an expression for Swift Testing.
  private static func filter(_ name: Substring) -> String {
    NSRegularExpression.escapedPattern(for: String(name.replacing(".-/", with: ".")))
  }

  /// Becomes the program that runs tests.
  private static func run(_ options: [String]) -> Never {
    let words = [ProcessInfo.processInfo.arguments[0], "--testing-library", "swift-testing"] + options
    var pointers = words.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &pointers)
    perror("tests: can't run")
    exit(3)
  }
}

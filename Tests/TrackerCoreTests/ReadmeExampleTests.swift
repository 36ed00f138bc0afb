import Foundation
import Quantities
import Testing
import TrackerCore

/// The README's example of the libraries, as it stands there.
private func readmeExample() {
  // README begins
  var tracker = Tracker()
  let rate = Vector3(0, 0, 0.01)
  tracker.process(InertialSample(time: .milliseconds(10), angularRate: rate, specificForce: Vector3(0, 0, 9.81)))
  while let action = tracker.nextAction() {
    if case .event(let event) = action { print(event.name) }
  }
  // README ends
}

@Test func theExampleInTheReadmeIsTheOneThatCompilesHere() throws {
  readmeExample()
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let here = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
  let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
  let parts = here.split(separator: "README begins\n", maxSplits: 1)
  let body = try #require(parts.last?.split(separator: "\n  // README ends", maxSplits: 1).first)
  let lines = body.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  let shown = Set(readme.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
  #expect(lines.count == 6)
  for line in lines { #expect(shown.contains(line), "the README does not show: \(line)") }
}

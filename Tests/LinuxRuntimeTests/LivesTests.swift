import Foundation
import Quantities
import Testing

@testable import LinuxRuntime

/// What lies in a state's files after lives that were cut off, the log of what was written last among them.
struct LivesTests {
  /// Lives by a state, asks, and is cut off.
  ///
  /// - Returns: The files as the cut leaves them.
  private func cutLife(_ folder: Folder, _ requests: [String]) throws -> Folder {
    let board = VirtualBoard(folder)
    try board.start()
    board.live(until: board.clock.now + .seconds(60))
    for request in requests {
      #expect(board.run?.request(request) == true, "\(request)")
      board.live(until: board.clock.now + .seconds(10))
    }
    let left = try Folder(isInMemory: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("state.db") {
      try FileManager.default.copyItem(atPath: folder(name), toPath: left(name))
    }
    board.cut()
    return left
  }

  private func shown(_ folder: Folder) throws -> [String] {
    let file = try BoardConfigurationFile(text: "{ state: '\(folder("state.db"))' }", name: "f")
    return file.withChangedSettings().rows.filter { $0.name == "reports.distance" }.map {
      "\($0.value?.text ?? "none") \($0.origin)"
    }
  }

  @Test func whatTheLastLifeHasChangedIsShownHoweverManyChangesCameBefore() throws {
    let first = try cutLife(try Folder(isInMemory: true), (301...320).map { "set reports.distance \($0)" })
    let now = try shown(first)
    #expect(now == ["320 state"])
    let second = try cutLife(first, ["set reports.distance 999"])
    let then = try shown(second)
    #expect(then == ["999 state"])
    let third = try cutLife(second, ["reset reports.distance"])
    let last = try shown(third)
    #expect(last.allSatisfy { !$0.contains("state") }, "\(last)")
  }
}

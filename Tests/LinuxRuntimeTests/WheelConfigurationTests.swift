import Foundation
import LinuxDevices
import Quantities
import Testing

@testable import LinuxRuntime

/// The sensor of the wheel in the configuration.
@Suite struct WheelConfigurationTests {
  @Test func theWheelOfTheManualIsRead() throws {
    let root = String(#filePath.dropLast("Tests/LinuxRuntimeTests/WheelConfigurationTests.swift".count))
    let manual = try String(contentsOfFile: root + "docs/odometer.md", encoding: .utf8)
    let example = try #require(manual.components(separatedBy: "```json5\n").last?.components(separatedBy: "```").first)
    let board = try configuration(example).configuration
    #expect(board.wheel?.chip == "gpiochip0" && board.wheel?.line == 22 && board.wheel?.bounce == .milliseconds(10))
    #expect(board.tracker.tracker.wheelCircumference == 2.1)
    #expect(try configuration("{}").configuration.wheel == nil)
  }

  @Test func withoutACircumferenceThatOfTheTrackerHolds() throws {
    let wired = "wheel: { chip: 'gpiochip0', line: 0, bounce: 0.001 }"
    let board = try configuration("{ odometer: { circumference: 1.4 }, \(wired) }").configuration
    #expect(board.tracker.tracker.wheelCircumference == 1.4 && board.wheel?.bounce == .milliseconds(1))
    #expect(try configuration("{ \(wired) }").configuration.tracker.tracker.wheelCircumference == 0)
  }

  @Test func theSensorOfTheWheelIsASensorOfTheBoard() throws {
    let file = try configuration("{ gnss: { source: 'none' }, wheel: { chip: 'gpiochip0', line: 22 } }")
    let parts = try BoardParts(file.configuration, clock: MachineClock())
    #expect(parts.sensors.map(\.name) == ["wheel at gpiochip0 line 22"])
  }

  @Test func whatIsNoWheelIsSaid() {
    for text in ["{ chip: 'gpiochip0' }", "{ line: 3 }", "{}"] {
      let found = problems("{ wheel: \(text) }")
      #expect(found.contains { $0.contains(text.contains("chip") ? "line" : "chip") }, "\(text): \(found)")
    }
    for text in ["line: 1024", "circumference: -1", "circumference: 10.1", "bounce: 2", "chip: 'a b'", "diameter: 3"] {
      #expect(!problems("{ wheel: { chip: 'gpiochip0', line: 3, \(text) } }").isEmpty, "\(text)")
    }
  }
}

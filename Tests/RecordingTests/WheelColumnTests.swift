import Quantities
import Testing
import TrackerCore

@testable import Recording
@testable import TrackerRuntime

/// The column of a CSV file with what the sensor of a wheel has counted.
@Suite struct WheelColumnTests {
  private func wheel(_ pulses: UInt32, _ seconds: Int) -> TrackerInput {
    .reading(.wheel(WheelReading(time: .seconds(seconds), pulses: pulses)))
  }

  @Test func aRowGivesSamplePulsesAndFixInThisOrder() throws {
    let (inputs, report) = try read(
      "t_s,ax,ay,az,lat_deg,lon_deg,wheel_pulses\n1,1,2,9.8,52,4,7\n2,1,2,9.8,,,8\n3,,,,52,4,\n4,,,,,,4294967295\n")
    let kinds = inputs.map { input in
      switch input {
      case .inertial: "sample"
      case .fix: "fix"
      default: "pulses"
      }
    }
    #expect(kinds == ["sample", "pulses", "fix", "sample", "pulses", "fix", "pulses"])
    #expect(inputs[1] == wheel(7, 1) && inputs[4] == wheel(8, 2) && inputs[6] == wheel(.max, 4))
    #expect(report.entries.isEmpty && report.inputCount == 7)
  }

  @Test func amongFixesARowWithPulsesAloneIsNoLostFix() throws {
    let (inputs, _) = try read("t_s,lat_deg,lon_deg,wheel_pulses\n1,52,4,1\n2,,,2\n3,,,\n")
    #expect(inputs.count == 4 && inputs[0] == wheel(1, 1) && inputs[2] == wheel(2, 2))
    guard case .fix(let lost) = inputs[3] else { throw Missing() }
    #expect(lost.position == nil)
  }

  @Test func whatIsNoCountIsLeftOut() throws {
    let (inputs, report) = try read("t_s,lat_deg,lon_deg,wheel_pulses\n1,52,4,-1\n2,52,4,4294967296\n3,52,4,nan\n")
    #expect(inputs.count == 3 && report.entries.contains { $0.problem == .valueOutOfRange })
  }

  @Test func aRowWhosePositionIsNoneGivesNothing() throws {
    let (inputs, _) = try read("t_s,lat_deg,lon_deg,wheel_pulses\n1,91,4,1\n2,52,4,2\n")
    #expect(inputs.count == 2 && inputs[0] == wheel(2, 2))
  }

  private struct Missing: Error {}
}

import Foundation
import Quantities
import Recording
import TrackerRuntime
import TrackerCore
import VehicleSimulation

/// One ride in every form a replay can read: 100 Hz inertial samples synthesised for a recorded track of 1 Hz.
struct Ride {
  let inputs: [TrackerInput]
  let sampleCount: Int
  let seconds: Double
  let folder: URL

  var imu: String { folder.appending(path: "imu.csv").path }
  var gnss: String { folder.appending(path: "gnss.csv").path }
  var log: String { folder.appending(path: "ride.leash").path }

  /// - Parameter limit: Samples to take at most; counting instructions needs no whole ride.
  init(track: String, limit: Int) throws {
    let recording = try openRecording(track)
    var synthesis = RideExtension(seed: 1, scene: nil)
    var inputs: [TrackerInput] = []
    var samples = 0
    while samples < limit {
      if let output = synthesis.next() {
        switch output {
        case .inertial(let sample):
          inputs.append(.inertial(sample))
          samples += 1
        case .fix(let fix): inputs.append(.fix(fix))
        }
      } else if synthesis.isFinished {
        break
      } else if case .fix(let fix)? = try recording.next() {
        synthesis.receive(fix)
      } else {
        synthesis.finish()
      }
    }
    self.inputs = inputs
    sampleCount = samples
    seconds = ((inputs.last?.time ?? .zero) - (inputs.first?.time ?? .zero)).secondsDouble
    folder = FileManager.default.temporaryDirectory.appending(path: "leash-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try writeText()
    try writeLog()
  }

  private func writeText() throws {
    var imuText = "t_s,gx,gy,gz,ax,ay,az\n"
    var gnssText = "t_s,lat_deg,lon_deg,alt_m,speed_mps\n"
    for input in inputs {
      switch input {
      case .inertial(let sample):
        let (rate, force) = (sample.angularRate ?? .zero, sample.specificForce ?? .zero)
        imuText += "\(sample.time.secondsDouble)"
        for value in [rate.x, rate.y, rate.z] { imuText += "," + decimals(value, 5) }
        for value in [force.x, force.y, force.z] { imuText += "," + decimals(value, 4) }
        imuText += "\n"
      case .fix(let fix):
        guard let position = fix.position else { continue }
        gnssText += "\(fix.time.secondsDouble),\(position.latitudeDegrees),\(position.longitudeDegrees),"
        gnssText += "\(fix.heightAboveSeaLevel ?? 0),\(fix.speed ?? 0)\n"
      default: break
      }
    }
    try imuText.write(toFile: imu, atomically: false, encoding: .utf8)
    try gnssText.write(toFile: gnss, atomically: false, encoding: .utf8)
  }

  private func decimals(_ value: Float, _ count: Int) -> String {
    var scale = 1
    for _ in 0..<count { scale *= 10 }
    let scaled = Int((Double(abs(value)) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: count - fraction.count)
    return (value < 0 ? "-" : "") + "\(scaled / scale)." + zeros + fraction
  }

  private func writeLog() throws {
    let writer = try LeashLogWriter(path: log)
    let configuration = Array(RunConfiguration().text.utf8)
    try writer.append(configuration: configuration.span)
    let nothing: [UInt8] = []
    for input in inputs { try writer.append(input, bytes: nothing.span) }
    try writer.close()
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

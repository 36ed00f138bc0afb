import CGPS
import Glibc
import Quantities

/// Turns lines of gpsd's JSON into reports, by libgps.
///
/// Line by line in place of `gps_read`: what is no whole object of a wanted class never reaches the library, whose own loop
/// does not end on an object that is cut.
///
/// - Source: [gpsd-json] for the objects, [gps-h] for the structure that libgps fills.
final class GPSDDecoder {
  private let data = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
  /// Lines that made no sense.
  private(set) var unreadableCount = 0

  /// A decoder with nothing read yet.
  init() { memset(data, 0, Self.size) }

  deinit { data.deallocate() }

  private static var size: Int { MemoryLayout<gps_data_t>.size }

  /// What a line says; nil for what a tracker does not want, and for nonsense, which is counted.
  func decode(_ line: ArraySlice<UInt8>, at now: Instant) -> GPSDReport? {
    var text = line
    while let last = text.last, last == 0x0D || last == 0x20 { text.removeLast() }
    if text.isEmpty { return nil }
    guard let name = Self.className(text), text.last == UInt8(ascii: "}"), !text.contains(where: { $0 < 0x20 }) else {
      unreadableCount += 1
      return nil
    }
    guard ["TPV", "SKY", "GST", "DEVICE", "DEVICES", "VERSION", "ERROR"].contains(name) else { return nil }
    // Its arrays and the union keep what an earlier object left: each line begins on a clean sheet.
    memset(data, 0, Self.size)
    let status = unpack(text)
    if name == "DEVICES", status == Self.tooManyElements { return .devices(nil) }
    if name == "DEVICE", status != 0, text.suffix(Self.letGo.count) == Self.letGo[...] {
      return .device(GPSDDevice(path: device, isActive: false))
    }
    guard status == 0, let report = report(name, at: now) else {
      unreadableCount += 1
      return nil
    }
    return report
  }

  /// libgps's number for more receivers than its structure holds, which is no nonsense.
  ///
  /// - Source: our derivation, from libgps 3.22, whose header of it is not installed.
  private static let tooManyElements: Int32 = 12

  /// How gpsd says that it has let a receiver go. libgps wants a time there, and takes the path but not the object.
  private static let letGo = Array("\"activated\":0}".utf8)

  /// The value of `class`, which gpsd always puts first.
  private static func className(_ text: ArraySlice<UInt8>) -> String? {
    let beginning = Array("{\"class\":\"".utf8)
    guard text.starts(with: beginning) else { return nil }
    let rest = text.dropFirst(beginning.count)
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private func unpack(_ text: ArraySlice<UInt8>) -> Int32 {
    let terminated = text.map { CChar(bitPattern: $0) } + [0]
    return terminated.withUnsafeBufferPointer { buffer in
      var end = buffer.baseAddress
      return libgps_json_unpack(buffer.baseAddress, data, &end)
    }
  }

  private func report(_ name: String, at now: Instant) -> GPSDReport? {
    // What the structure holds is told by `set`; the members of its union most of all.
    let set = data.pointee.set
    func holds(_ mask: UInt64) -> Bool { set & mask != 0 }
    switch name {
    case "TPV" where holds(UInt64(STATUS_SET)): return .fix(fix(at: now), from: device)
    case "SKY" where holds(UInt64(SATELLITE_SET)): return .sky(sky(at: now), from: device)
    case "GST" where holds(UInt64(GST_SET)): return .errors(errors, from: device)
    case "DEVICE" where holds(UInt64(DEVICE_SET)): return .device(Self.device(data.pointee.dev))
    case "DEVICES" where holds(UInt64(DEVICELIST_SET)): return .devices(devices)
    case "VERSION" where holds(UInt64(VERSION_SET)): return .version(Self.text(&data.pointee.version.release))
    case "ERROR" where holds(UInt64(ERROR_SET)): return .refusal(Self.text(&data.pointee.error))
    default: return nil
    }
  }

  private var device: String { Self.text(&data.pointee.dev.path) }

  private var devices: [GPSDDevice] {
    let count = min(max(0, Int(data.pointee.devices.ndevices)), Int(MAXUSERDEVS))
    return withUnsafePointer(to: &data.pointee.devices.list) { list in
      list.withMemoryRebound(to: devconfig_t.self, capacity: Int(MAXUSERDEVS)) { devices in
        (0..<count).map { Self.device(devices[$0]) }
      }
    }
  }

  private static func device(_ configuration: devconfig_t) -> GPSDDevice {
    var configuration = configuration
    return GPSDDevice(
      path: text(&configuration.path), driver: text(&configuration.driver),
      isActive: configuration.activated.tv_sec > 0)
  }

  /// The text in an array of characters, as far as it goes.
  private static func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private func fix(at now: Instant) -> GNSSFix { GNSSFix(data.pointee.fix, at: now) }

  private var errors: GPSDErrors {
    let gst = data.pointee.gst
    return GPSDErrors(
      utc: UTCTime(gst.utctime), north: gst.lat_err_deviation.ifSensible, east: gst.lon_err_deviation.ifSensible,
      up: gst.alt_err_deviation.ifSensible)
  }

  private func sky(at now: Instant) -> GPSDSky {
    var sky = GPSDSky(time: now)
    let dop = data.pointee.dop
    sky.dilution = DilutionOfPrecision(
      horizontal: dop.hdop.ifSensible.map { Float($0) }, vertical: dop.vdop.ifSensible.map { Float($0) },
      position: dop.pdop.ifSensible.map { Float($0) })
    guard data.pointee.satellites_visible > 0 else { return sky }
    sky.used = UInt8(clamping: data.pointee.satellites_used)
    withUnsafePointer(to: &data.pointee.skyview) { view in
      view.withMemoryRebound(to: satellite_t.self, capacity: Int(MAXCHANNELS)) { satellites in
        for place in 0..<Int(MAXCHANNELS) where satellites[place].PRN > 0 {
          guard let constellation = Self.constellation(satellites[place].gnssid) else { continue }
          sky.inView[constellation] = UInt8(clamping: Int(sky.inView[constellation]) + 1)
        }
      }
    }
    return sky
  }

  /// The system that gpsd means by a number; nil for indoor beacons and what comes later.
  ///
  /// - Source: [gps-h] `struct satellite_t`.
  private static func constellation(_ number: UInt8) -> Constellation? {
    switch number {
    case 0: .gps
    case 1: .sbas
    case 2: .galileo
    case 3: .beiDou
    case 5: .qzss
    case 6: .glonass
    case 7: .navIC
    default: nil
    }
  }
}

public import Quantities

extension Constellation {
  /// The constellation of a system identifier of NMEA 4.1 (GSA field 18, GBS field 9): 1 GPS, 2 GLONASS, 3 Galileo,
  /// 4 BeiDou, 5 QZSS, 6 NavIC; nil for 0 and others.
  @inlinable public init?(systemIdentifier: UInt8) {
    switch systemIdentifier {
    case 1: self = .gps
    case 2: self = .glonass
    case 3: self = .galileo
    case 4: self = .beiDou
    case 5: self = .qzss
    case 6: self = .navIC
    default: return nil
    }
  }

  /// The constellation of a satellite number in GSA or GSV.
  ///
  /// Numbers 1 to 32 mean whatever the talker stands for; the higher ranges are those of NMEA 4.11 and of the habits of
  /// u-blox, SiRF, SkyTraq and Quectel: 33–64 and 120–158 SBAS, 65–99 GLONASS, 193–202 QZSS, 201–264 and 401–463 BeiDou,
  /// 301–336 Galileo.
  ///
  /// - Parameter system: What the sentence's system identifier says, when it has one.
  /// - Returns: nil for numbers that belong to none.
  public init?(satelliteNumber number: UInt16, talker: Talker, system: Constellation?) {
    let owner = system ?? talker.constellation
    if number == 0 { return nil }
    if let owner, owner != .gps {
      if owner == .glonass, number >= 33, number <= 64 {
        self = .sbas
        return
      }
      self = owner
      return
    }
    switch number {
    case 1...32: self = .gps
    case 33...64, 120...158: self = .sbas
    case 65...99: self = .glonass
    case 193...200: self = .qzss
    case 201...264, 401...463: self = .beiDou
    case 301...336: self = .galileo
    default: return nil
    }
  }
}

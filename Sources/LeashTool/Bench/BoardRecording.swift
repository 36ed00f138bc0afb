import BoardHealth
import Quantities
import Recording
import TrackerCore
import TrackerLog
import TrackerRuntime

/// What is played into the ports of a board: pieces, each with its time.
struct BoardRecording {
  /// Some bytes for a port.
  struct Piece: Equatable {
    var port: InjectedPort
    /// Since the first.
    var due: Interval
    var bytes: [UInt8]
  }

  private(set) var pieces: [Piece] = []
  /// What a log has that neither port takes: fixes without sentences, readings, requests.
  private(set) var leftOutCount = 0

  /// Bytes a second of a line at 115,200 bit/s.
  private static var lineRate: Int { 11_520 }
  /// Bytes a second of a sensor that measures 50 times a second: two frames of eleven.
  private static var frameRate: Int { 1100 }

  /// Reads a Leash log, sentences of a receiver, or frames of a WitMotion sensor.
  ///
  /// - Parameter bytesPerSecond: How fast bytes go that have no times of their own; nil is as fast as their device sends them.
  init(path: String, bytesPerSecond: Int?) throws(CommandFailure) {
    let bytes = try smallBytes(of: path)
    if (0..<8).allSatisfy({ $0 < bytes.count && bytes[$0] == LogFormat.signature[$0] }) {
      try readLog(path)
      if pieces.isEmpty { throw .environment("\(path): the log has neither bytes of a receiver nor inertial samples") }
    } else if bytes.count > 1, bytes[0] == 0x55, bytes[1] & 0xF0 == 0x50 {
      cut(bytes, for: .sensor, bytesPerSecond ?? BoardRecording.frameRate)
    } else if bytes.split(separator: 0x0A).prefix(20).contains(where: { $0.first == 0x24 }) {
      cut(bytes, for: .receiver, bytesPerSecond ?? BoardRecording.lineRate)
    } else {
      throw .environment(
        "\(path): neither a Leash log, nor sentences of a receiver, nor frames of a WitMotion sensor; "
          + "leash replay --record makes a log of any recording")
    }
  }

  private mutating func cut(_ bytes: [UInt8], for port: InjectedPort, _ rate: Int) {
    var place = 0
    while place < bytes.count {
      let end = min(place + ConsolePiece.capacity, bytes.count)
      let due = Interval(microseconds: Int64(place) * 1_000_000 / Int64(rate))
      pieces.append(Piece(port: port, due: due, bytes: Array(bytes[place..<end])))
      place = end
    }
  }

  private mutating func readLog(_ path: String) throws(CommandFailure) {
    var first: Instant?
    do throws(RecordingError) {
      let reader = try LeashLogReader(path: path)
      while let record = try reader.next() {
        guard case .input(let input) = record else { continue }
        switch input {
        case .inertial(let sample):
          let start = first ?? sample.time
          first = start
          add(BoardRecording.frames(of: sample), for: .sensor, at: sample.time - start)
        case .bytes(let port, let time) where port == Port.gnss.rawValue:
          let start = first ?? time
          first = start
          add(reader.payload, for: .receiver, at: time - start)
        case .fix, .reading, .command, .bytes: leftOutCount += 1
        default: break
        }
      }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Bytes of one moment go in one piece, samples each in their own: a sensor's frames are dated by when they come.
  private mutating func add(_ bytes: [UInt8], for port: InjectedPort, at due: Interval) {
    if let last = pieces.last, last.port == port, last.bytes.count + bytes.count <= ConsolePiece.capacity,
      port == .receiver, due == last.due
    {
      pieces[pieces.count - 1].bytes += bytes
      return
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      pieces.append(Piece(port: port, due: due, bytes: Array(rest.prefix(ConsolePiece.capacity))))
      rest = rest.dropFirst(ConsolePiece.capacity)
    }
  }

  /// A sample as a WitMotion sensor sends it: its force, then its rate.
  ///
  /// - Source: [witmotion] acceleration 0x51: numbers over 32768 times 16 g; angular velocity 0x52: times 2000 °/s; the sum.
  static func frames(of sample: InertialSample) -> [UInt8] {
    var bytes: [UInt8] = []
    if let force = sample.specificForce { bytes += frame(0x51, force, full: 16 * 9.80665) }
    if let rate = sample.angularRate { bytes += frame(0x52, rate, full: 2000 * Double.pi / 180) }
    return bytes
  }

  private static func frame(_ type: UInt8, _ vector: Vector3, full: Double) -> [UInt8] {
    var bytes: [UInt8] = [0x55, type]
    for value in [vector.x, vector.y, vector.z, 0] {
      let steps = (Double(value) / full * 32768).rounded()
      let number = Int16(max(-32768, min(32767, steps.isNaN ? 0 : steps)))
      bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
    return bytes + [bytes.reduce(0, &+)]
  }
}

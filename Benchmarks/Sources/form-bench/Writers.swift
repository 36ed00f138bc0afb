import CPacketPeer
import HomeAssistant
import InlineStorage
import OwnTracks
import PacketForms
import SecretBox
import Telemetry

/// One message written by ours and by the peer.
struct Contest {
  let form: String
  let packet: String
  /// Writes it once; the bytes written.
  let ours: () -> Int
  let peer: () -> Int
  /// What both write.
  let bytes: (ours: [UInt8], peer: [UInt8])

  var key: String { packet.isEmpty ? form : "\(form)-\(packet)" }

  static var all: [Contest] {
    var contests: [Contest] = []
    let writers:
      [(
        PacketFormat,
        @convention(c) (UnsafePointer<peer_packet>?, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) ->
          Int
      )] = [
        (.json, peer_json), (.minimal, peer_minimal), (.text, peer_text), (.ownTracks, peer_own_tracks),
        (.ownTracksCompact, peer_own_tracks_compact), (.osmAnd, peer_osm_and), (.traccar, peer_traccar),
      ]
    for (format, writer) in writers {
      for sample in Sample.all {
        let (packet, peer) = (lasting(sample.packet), lasting(sample.peer))
        contests.append(
          Contest("\(format.name)", sample.name, { written(packet.pointee, format, &$0) }) { out in
            writer(peer, id, id.count, out.baseAddress, out.count)
          })
      }
    }
    for sample in Sample.all {
      let (packet, peer) = (lasting(sample.packet), lasting(sample.peer))
      contests.append(
        Contest("ownTracks, sealed", sample.name, { sealed(packet.pointee, &$0) }) { out in
          peer_sealed(peer, id, id.count, sealKey, nonce, out.baseAddress, out.count)
        })
    }
    for sample in Sample.all {
      let (packet, peer) = (lasting(sample.packet), lasting(sample.peer))
      contests.append(
        Contest("json, C++, RapidJSON", sample.name, { written(packet.pointee, .json, &$0) }) { out in
          peer_json_rapidjson(peer, id, id.count, out.baseAddress, out.count)
        })
    }
    let device = device()
    contests.append(
      Contest("Home Assistant's discovery", "", { device.encode(.position, into: &$0) ? $0.count : 0 }) { out in
        peer_discovery(
          id, id.count, topic, topic.count, commands, commands.count, availability, availability.count, out.baseAddress,
          out.count)
      })
    return contests
  }

  private init(
    _ form: String, _ packet: String, _ ours: @escaping (inout InlineBytes<1024>) -> Int,
    _ peer: @escaping (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    let out = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1024)
    // In memory that no check of exclusive access looks after, as C's is.
    let line = UnsafeMutablePointer<InlineBytes<1024>>.allocate(capacity: 1)
    line.initialize(to: InlineBytes())
    let count = ours(&line.pointee)
    bytes = ((0..<count).map { line.pointee[$0] }, Array(out[..<peer(out)]))
    self.form = form
    self.packet = packet
    self.ours = {
      line.pointee.removeAll()
      return ours(&line.pointee)
    }
    self.peer = { peer(out) }
  }
}

private let id = Array("bike-42".utf8)
private let topic = Array("leash/bike-42/packet".utf8)
private let availability = Array("leash/bike-42/available".utf8)
private let commands = Array("leash/bike-42/request".utf8)
private let nonce = (0..<24).map { UInt8($0) }
private let passphrase = Array("mysecreTpass01".utf8)
private let sealKey = passphrase + [UInt8](repeating: 0, count: 32 - passphrase.count)
private let secret = SecretKey(passphrase: passphrase.span)

/// A value at a place that is neither moved nor copied for a call, as the outbox has it: C gets a pointer to its own.
private func lasting<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
  let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  place.initialize(to: value)
  return place
}

@inline(never) private func written(_ packet: borrowing Packet, _ format: PacketFormat, _ out: inout InlineBytes<1024>)
  -> Int
{
  packet.encode(as: format, trackerID: id.span, into: &out) ? out.count : 0
}

@inline(never) private func sealed(_ packet: borrowing Packet, _ out: inout InlineBytes<1024>) -> Int {
  var plain = InlineBytes<1024>()
  guard let secret, packet.encode(as: OwnTracksForm(), trackerID: id.span, into: &plain),
    OwnTracksSeal.seal(plain.span, key: secret, nonce: nonce.span, into: &out)
  else { return 0 }
  return out.count
}

private func device() -> HomeAssistantDevice {
  var device = HomeAssistantDevice(trackerID: id.span)
  device.topic.append(contentsOf: topic.span)
  device.availabilityTopic.append(contentsOf: availability.span)
  device.commandTopic.append(contentsOf: commands.span)
  return device
}

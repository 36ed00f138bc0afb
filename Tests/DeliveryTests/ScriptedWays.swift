import Delivery
import Quantities
import Telemetry

/// A dispatcher whose ways do what they are told.
final class ScriptedWays {
  struct Way {
    var taken: [UInt32] = []
    var parts: [UInt8] = []
    var held: Set<UInt32> = []
    var forgotten: [UInt32] = []
    var roomAsked = 0
    /// Hands everything back as soon as it comes.
    var refusesAll = false
    /// Kinds that its format can't carry.
    var cantCarry: PacketKindSet = []
    /// Messages that a packet takes.
    var partCount: UInt8 = 1
  }

  var dispatcher: Dispatcher
  var ways: [Way]
  var now = Instant.zero
  private(set) var acknowledged: [UInt32] = []
  /// Number and receiver of each outcome, in their order.
  private(set) var outcomes: [String] = []
  private var kinds: [UInt32: PacketKind] = [:]

  init(_ ways: [DeliveryWay], parameters: OutboxParameters = OutboxParameters(), seed: UInt64 = 1) {
    dispatcher = Dispatcher(parameters: parameters, fallbackAfter: .seconds(20), seed: seed)
    self.ways = ways.map { _ in Way() }
    for (place, way) in ways.enumerated() {
      dispatcher.add(way)
      dispatcher.setState(.open, of: place, at: .zero)
    }
  }

  /// Ways of one receiver that take whatever comes.
  convenience init(_ count: Int, capacity: UInt8 = 200) {
    self.init((0..<count).map { DeliveryWay(port: UInt8($0), capacity: capacity, takesEveryAlert: true) })
  }

  func take(_ sequence: UInt32, _ kind: PacketKind = .location, for receivers: ReceiverSet = ReceiverSet(0)) {
    kinds[sequence] = kind
    dispatcher.take(sequence, kind.priority, for: receivers, at: now)
    run()
  }

  func advance(to seconds: Double) {
    now = max(now, Instant(microseconds: Int64((seconds * 1e6).rounded())))
    dispatcher.advance(to: now)
    run()
  }

  func set(_ state: WayState, _ way: Int) {
    dispatcher.setState(state, of: way, at: now)
    run()
  }

  func deliver(_ sequence: UInt32, _ way: Int) {
    ways[way].held.remove(sequence)
    dispatcher.delivered(sequence, on: way, at: now)
    run()
  }

  func handBack(_ sequence: UInt32, _ way: Int) {
    ways[way].held.remove(sequence)
    dispatcher.handedBack(sequence, by: way, at: now)
    run()
  }

  func makeRoom(_ sequence: UInt32, _ way: Int) {
    ways[way].held.remove(sequence)
    dispatcher.madeRoom(sequence, by: way, at: now)
    run()
  }

  func run() {
    var steps = 0
    while let step = dispatcher.nextStep() {
      steps += 1
      precondition(steps < 10_000, "steps without end")
      switch step {
      case .give(let sequence, let way, let part): give(sequence, Int(way), part)
      case .forget(let sequence, let way):
        ways[Int(way)].forgotten.append(sequence)
        ways[Int(way)].held.remove(sequence)
      case .makeRoom(let way): ways[Int(way)].roomAsked += 1
      case .acknowledged(let sequence, let receiver):
        acknowledged.append(sequence)
        outcomes.append("\(sequence) to \(receiver)")
      case .gaveUp(let sequence, let receiver): outcomes.append("\(sequence) never to \(receiver)")
      }
    }
  }

  private func give(_ sequence: UInt32, _ way: Int, _ part: UInt8) {
    if let kind = kinds[sequence], ways[way].cantCarry.contains(kind) {
      dispatcher.cantCarry(sequence, on: way, at: now)
      return
    }
    ways[way].taken.append(sequence)
    ways[way].parts.append(part)
    ways[way].held.insert(sequence)
    dispatcher.began(sequence, on: way, isLast: part + 1 >= ways[way].partCount)
    guard ways[way].refusesAll else { return }
    ways[way].held.remove(sequence)
    dispatcher.handedBack(sequence, by: way, at: now)
  }
}

public import Delivery
import InlineStorage
import OwnTracks
import PacketForms
public import Quantities
import Requests
public import Telemetry
import TrackerCore

/// A run's packets through `Dispatcher` to ports, and what comes back.
///
/// Given the same calls, states and news it does the same, on any clock: a board, a replay and a simulated world run this program.
public final class PacketDelivery {
  /// A way as its owner sets it up.
  public struct Way {
    /// What carries it.
    public var port: any DeliveryPort
    /// To whom, from 0.
    public var receiver: Int
    /// How packets are written for it.
    public var format: PacketFormat
    /// The port's channel; nil for its own choice.
    public var channel: UInt8?
    /// Where its messages in OwnTracks' form go, which they say; nil for a way without topics.
    package var topicForm: OwnTracksTopicForm?
    /// True for a way of text messages: their alphabet is smaller.
    package var isTextMessage = false
    /// True when the server takes no packet without a position, whatever the format can carry.
    package var needsPosition = false
    /// The most bytes of a message that it carries; nil for as many as there are.
    package var byteLimit: Int?
    /// Seals what goes out, and opens what comes in: what is not sealed is not heard then. Nil for messages that anybody may read.
    package var seal: MessageSeal?

    /// A way.
    public init(_ port: any DeliveryPort, receiver: Int = 0, format: PacketFormat = .json, channel: UInt8? = nil) {
      self.port = port
      self.receiver = receiver
      self.format = format
      self.channel = channel
    }
  }

  /// What came of a packet.
  enum Outcome {
    case acknowledged(sequence: UInt32, receiver: UInt8)
    case gaveUp(sequence: UInt32, receiver: UInt8)
  }

  /// The ways, of each receiver the preferred first.
  public let ways: [Way]
  /// Each port once, in the order of the ways.
  public let ports: [any DeliveryPort]
  /// Called when `advance` has something to do at once.
  public var onNews: () -> Void = {}
  /// Takes satellite sentences of a modem's receiver.
  public var onSentences: ([UInt8]) -> Void = { _ in }
  /// Takes fixes of a modem's receiver.
  public var onFix: (GNSSFix) -> Void = { _ in }
  /// Takes readings of a modem, such as the strength of its signal.
  package var onReading: (Reading) -> Void = { _ in }
  /// Sees each message as it goes to a port, before it is sealed: way, packet and bytes.
  var onMessage: (Int, OutgoingPacket, Instant) -> Void = { _, _, _ in }
  /// Why packets were handed back, the last of each way.
  public private(set) var refusals: [String?]
  /// What was left out of packets for which a way is too narrow, the last of each way.
  package private(set) var shortenings: [String?]

  // The dispatcher calls nobody: as in `TrackerRun`.
  @exclusivity(unchecked) private var dispatcher: Dispatcher
  /// What each way's server has answered.
  private var answers: [AnswerMemory]
  /// What has come that may be a request, with where from, and the port that has it until it is kept; nil when none has.
  @exclusivity(unchecked) private var heard: [(text: [UInt8], origin: RequestOrigin, port: Int?)] = []
  @exclusivity(unchecked) private var now = Instant.zero
  @exclusivity(unchecked) private var hasNews = false
  private var spare: [UInt8] = []

  /// - Parameters:
  ///   - ways: At most eight; their ports' `onNews` is taken.
  ///   - parameters: Waits and receivers, the same as the tracker's.
  ///   - fallbackAfter: Default 20 s.
  ///   - seed: Of the jitter.
  public init(
    _ ways: [Way], parameters: OutboxParameters = OutboxParameters(), fallbackAfter: Interval = .seconds(20),
    seed: UInt64
  ) {
    precondition(ways.count <= Dispatcher.wayCapacity, "more than \(Dispatcher.wayCapacity) ways")
    self.ways = ways
    refusals = [String?](repeating: nil, count: ways.count)
    shortenings = refusals
    answers = [AnswerMemory](repeating: AnswerMemory(), count: ways.count)
    dispatcher = Dispatcher(parameters: parameters, fallbackAfter: fallbackAfter, seed: seed)
    var ports: [any DeliveryPort] = []
    for way in ways where !ports.contains(where: { $0 === way.port }) { ports.append(way.port) }
    self.ports = ports
    for way in ways {
      // A port with an order of its own has room on each of its channels: what one of them can't deliver keeps nothing from another.
      let room =
        ways.firstIndex {
          $0.port === way.port && (!way.port.takesEveryAlert || $0.channel == way.channel)
        } ?? 0
      dispatcher.add(
        DeliveryWay(
          receiver: UInt8(clamping: way.receiver), port: UInt8(room), format: way.format,
          capacity: UInt8(clamping: min(way.port.capacity, max(1, parameters.window))),
          takesEveryAlert: way.port.takesEveryAlert))
    }
    for port in ports {
      port.onNews = { [unowned self] in
        hasNews = true
        onNews()
      }
    }
  }

  /// How long a packet may wait on a way before the next gets it, too; for alerts a quarter of it.
  public var fallbackAfter: Interval { dispatcher.fallbackAfter }
  /// Packets on their way, counted once for each receiver.
  public var count: Int { dispatcher.count }
  /// What happened so far.
  public var counts: DeliveryCounts { dispatcher.counts }
  /// The most that may be requests between two looks; more are lost and counted.
  static var hearingCapacity: Int { 16 }
  /// What may have been requests and was lost because there was too much at once.
  public private(set) var lostRequestCount = 0
  /// Requests without a number or signature in an answer that was the same as that to the packet before: they were not obeyed again.
  public private(set) var repeatedRequestCount = 0
  /// What came on a way that seals and was not sealed with its key.
  package private(set) var unsealedCount = 0
  /// How often a packet was given to a port.
  public func attempts(of sequence: UInt32) -> Int { dispatcher.attempts(of: sequence) }

  /// True while something more urgent than reports is about to come: what a port has in hand can't be overtaken.
  var holdsReports: Bool {
    get { dispatcher.holdsReports }
    set { if newValue != dispatcher.holdsReports { dispatcher.holdsReports = newValue } }
  }

  // MARK: In

  /// Takes a packet for those who do not have it.
  func take(_ sequence: UInt32, _ priority: PacketPriority, for receivers: ReceiverSet, at now: Instant) {
    self.now = max(self.now, now)
    hasNews = true
    dispatcher.take(sequence, priority, for: receivers, at: now)
  }

  /// Sees what happens: where the tracker suspects something, an alert may follow.
  func follow(_ event: TrackerEvent.Kind, at now: Instant) {
    switch event {
    case .motion(.suspicious), .pending: for port in ports { port.expectAlert(at: now) }
    default: break
    }
  }

  /// Forgets the packets that the tracker has given up.
  func keepOnly(_ isWaiting: (UInt32) -> Bool) { dispatcher.keepOnly(isWaiting) }

  /// Takes what the ports tell, and lets time pass.
  func advance(to now: Instant) {
    self.now = max(self.now, now)
    for port in ports { port.pass(to: now) }
    takeNews()
    dispatcher.advance(to: now)
  }

  private func takeNews() {
    hasNews = false
    for place in ports.indices {
      // How the port stands first: a packet that comes back is not to go where nothing works.
      note(ports[place].state, of: place)
      while let news = ports[place].nextNews() { process(news, of: place) }
      note(ports[place].state, of: place)
    }
  }

  private func note(_ state: UplinkState, of port: Int) {
    let shown: WayState =
      switch state {
      case .idle: .idle
      case .opening: .opening
      case .open: .open
      case .failed: .failed
      }
    for way in ways.indices where ways[way].port === ports[port] { dispatcher.setState(shown, of: way, at: now) }
  }

  private func process(_ news: UplinkNews, of port: Int) {
    switch news {
    case .delivered(let sequence, let told):
      guard let way = way(told, of: port, holding: sequence) else { return }
      answers[way].delivered(sequence)
      dispatcher.delivered(sequence, on: way, at: now)
    case .undelivered(let sequence, let told, let reason):
      guard let way = way(told, of: port, holding: sequence) else { return }
      refusals[way] = reason
      dispatcher.handedBack(sequence, by: way, at: now)
    case .madeRoom(let sequence, let told):
      if let way = way(told, of: port, holding: sequence) { dispatcher.madeRoom(sequence, by: way, at: now) }
    case .request(let bytes, let channel): hear(bytes, by: way(of: port, with: channel), nil) { .way($0) }
    case .textMessage(let bytes, let isListed): take(bytes, isListedSender: isListed, of: port)
    case .answer(let bytes, let sequence, let kind, let told):
      let isToAnswer = kind == .status
      hear(bytes, by: way(told, of: port, holding: sequence) ?? 0, isToAnswer ? nil : sequence) {
        .answer($0, toAnswer: isToAnswer)
      }
    case .sentences(let bytes): onSentences(bytes)
    case .fix(let fix): onFix(fix)
    case .reading(let reading): onReading(reading)
    }
  }

  /// The way that a port tells; otherwise the port's way that the packet is on, or its first when none is: an acknowledgement may come
  /// late.
  private func way(_ told: Int?, of port: Int, holding sequence: UInt32) -> Int? {
    if let told, ways.indices.contains(told), ways[told].port === ports[port] { return told }
    let own = ways.indices.filter { ways[$0].port === ports[port] }
    return own.first { dispatcher.isHeld(sequence, by: $0) } ?? own.first
  }

  /// The way of a port that has a channel; its first when none has.
  private func way(of port: Int, with channel: UInt8?) -> Int {
    let own = ways.indices.filter { ways[$0].port === ports[port] }
    return own.first { channel != nil && ways[$0].channel == channel } ?? own.first ?? 0
  }

  /// A form may have requests in other words than the tracker's, and several of them at once.
  ///
  /// - Parameter sequence: Of the packet to which it is the answer; nil for none, or when that is an answer itself.
  private func hear(_ bytes: [UInt8], by way: Int, _ sequence: UInt32?, from origin: (Int) -> RequestOrigin) {
    guard ways.indices.contains(way) else { return hear(bytes, from: origin(way)) }
    var bytes = bytes
    if let seal = ways[way].seal {
      guard let opened = seal.opened(bytes) else {
        // A server has nothing to say in most of its answers, and need not seal that.
        if bytes != Array("[]".utf8) { unsealedCount += 1 }
        return
      }
      bytes = opened
    }
    let isSame = sequence.map { answers[way].isSame(bytes, to: $0) } ?? false
    var place = 0
    while true {
      var request = ByteBuffer()
      guard ways[way].format.nextRequest(in: bytes.span, at: &place, into: &request) else { return }
      // A request with a number is known by it.
      if isSame, let envelope = RequestEnvelope(request.bytes.span), envelope.number == nil, envelope.counter == nil {
        if Request(text: String(decoding: request.bytes, as: UTF8.self)) != nil { repeatedRequestCount += 1 }
        continue
      }
      let lost = lostRequestCount
      hear(request.bytes, from: origin(way))
      if lostRequestCount > lost { return }
    }
  }

  /// A message stays with its port until what it asked for is kept, and comes again if the power goes before. By its number or signature
  /// the tracker knows that it has obeyed it; one without may be deleted at once, so that it is seldom obeyed twice.
  private func take(_ bytes: [UInt8], isListedSender: Bool, of port: Int) {
    let isKnown = RequestEnvelope(bytes.span).map { $0.number ?? 0 > 0 || $0.counter != nil } ?? false
    let lost = lostRequestCount
    hear(bytes, from: .textMessage(isListedSender: isListedSender), keptBy: isKnown ? port : nil)
    if !isKnown || lostRequestCount > lost { ports[port].noteKept(at: now) }
  }

  /// What came by a port is kept, or has waited long enough for it.
  func noteKept(by port: Int, at time: Instant) { ports[port].noteKept(at: max(now, time)) }

  /// Whether it is a request, and whose, is looked at by the tracker.
  private func hear(_ bytes: [UInt8], from origin: RequestOrigin, keptBy port: Int? = nil) {
    guard heard.count < PacketDelivery.hearingCapacity else {
      lostRequestCount += 1
      return
    }
    heard.append((bytes, origin, port))
  }

  // MARK: Out

  /// Gives packets to ports until there is something that the tracker has to know; nil when all is done.
  func next(_ tracker: borrowing Tracker) -> Outcome? {
    while true {
      if hasNews { takeNews() }
      guard let step = dispatcher.nextStep() else {
        if hasNews { continue }
        return nil
      }
      switch step {
      case .give(let sequence, let way, let part): give(sequence, Int(way), part, tracker)
      case .forget(let sequence, let way): ways[Int(way)].port.forget(sequence, way: Int(way))
      case .makeRoom(let way): ways[Int(way)].port.makeRoom(at: now)
      case .acknowledged(let sequence, let receiver): return .acknowledged(sequence: sequence, receiver: receiver)
      case .gaveUp(let sequence, let receiver): return .gaveUp(sequence: sequence, receiver: receiver)
      }
    }
  }

  private func give(_ sequence: UInt32, _ way: Int, _ part: UInt8, _ tracker: borrowing Tracker) {
    guard let place = tracker.outbox.place(of: sequence) else { return dispatcher.drop(sequence) }
    let kind = tracker.outbox.name(at: place).kind
    // Apps show nothing without a place; it goes so only where no other way of the receiver says more.
    if ways[way].format == .ownTracks, kind.priority == .alert, tracker.outbox.packet(at: place).position == nil,
      ways.contains(where: { $0.receiver == ways[way].receiver && $0.format.showsAlertsWithoutPosition })
    {
      return refuse(sequence, way, place, tracker)
    }
    if ways[way].needsPosition, tracker.outbox.packet(at: place).timedPosition == nil {
      return refuse(sequence, way, place, tracker)
    }
    let limit = ways[way].byteLimit ?? .max
    var whole = 0
    for cut in PacketCut.allCases {
      var buffer = ByteBuffer(reusing: spare)
      guard let message = encode(place, Int(part), ways[way], cut, tracker, into: &buffer) else {
        refuse(sequence, way, place, tracker)
        return
      }
      let bytes = ways[way].seal.map { $0.sealed(buffer.bytes) } ?? buffer.bytes
      if cut == .nothing { whole = bytes.count }
      guard bytes.count <= limit else { continue }
      if cut != .nothing {
        shortenings[way] = "\(kind.name) packet \(sequence) of \(whole) bytes, \(limit) at most: without \(cut.words)"
      }
      answers[way].sent(sequence, kind)
      dispatcher.began(sequence, on: way, isLast: message.isLast)
      var packet = OutgoingPacket(
        sequence: sequence, kind: kind, bytes: buffer.bytes, way: way, channel: ways[way].channel, head: message)
      onMessage(way, packet, now)
      packet.bytes = bytes
      ways[way].port.take(packet, at: now)
      spare = []
      return
    }
    // It would come back each time, for ever.
    refusals[way] = "\(kind.name) packet \(sequence) has \(whole) bytes, and this transport takes \(limit)"
    dispatcher.cantCarry(sequence, on: way, at: now)
  }

  private func encode(
    _ place: Int, _ part: Int, _ way: Way, _ cut: PacketCut, _ tracker: borrowing Tracker, into buffer: inout ByteBuffer
  ) -> MessageHead? {
    if way.format == .ownTracks, let form = way.topicForm {
      return encode(place, part, form, cut, tracker, into: &buffer)
    }
    if way.format == .text, way.isTextMessage {
      return encode(place, part, TextMessageForm(), cut, tracker, into: &buffer)
    }
    return encode(place, part, way.format, cut, tracker, into: &buffer)
  }

  private func encode(
    _ place: Int, _ part: Int, _ form: some PacketForm, _ cut: PacketCut, _ tracker: borrowing Tracker,
    into buffer: inout ByteBuffer
  ) -> MessageHead? {
    guard cut != .nothing else { return tracker.encodePacket(at: place, part: part, as: form, into: &buffer) }
    return tracker.encodePacket(at: place, part: part, as: ShortForm(form, cut), into: &buffer)
  }

  /// The format of a way can't carry a packet.
  private func refuse(_ sequence: UInt32, _ way: Int, _ place: Int, _ tracker: borrowing Tracker) {
    let kind = tracker.outbox.name(at: place).kind
    let packet = tracker.outbox.packet(at: place)
    // Of two with one time such servers keep one.
    let isCrowded = packet.position != nil && packet.timedPosition == nil
    if ways[way].needsPosition, packet.position == nil {
      refusals[way] = "the server takes no packet without a position, and \(kind.name) packet \(sequence) has none"
      return dispatcher.cantCarry(sequence, on: way, at: now)
    }
    let lack: String
    switch ways[way].format {
    case .minimal where packet.position == nil, .ownTracks where packet.position == nil,
      .ownTracksCompact where packet.position == nil:
      lack = ": it has no position"
    case .traccar where packet.utc == nil: lack = ": the time is not known yet"
    case .ownTracks where isCrowded, .ownTracksCompact where isCrowded, .osmAnd where isCrowded:
      lack = ": packets came so fast that its position would have the time of another"
    default: lack = ""
    }
    refusals[way] = "the format \(ways[way].format.name) can't carry \(kind.name) packet \(sequence)\(lack)"
    dispatcher.cantCarry(sequence, on: way, at: now)
  }

  /// The next that may be a request, with where it came from, and the port that has it until it is kept.
  func nextHeard() -> (text: [UInt8], origin: RequestOrigin, port: Int?)? { heard.isEmpty ? nil : heard.removeFirst() }

  /// When `advance` is wanted next.
  public var nextDeadline: Instant? { hasNews ? now : nextTimer }

  /// The same without what has come meanwhile, which happens when it is looked at.
  var nextTimer: Instant? {
    var earliest = dispatcher.nextDeadline
    for port in ports {
      if let due = port.nextPass { earliest = min(earliest ?? due, due) }
    }
    return earliest
  }
}

extension PacketFormat {
  /// True when whoever reads it is shown an alert that has no position.
  fileprivate var showsAlertsWithoutPosition: Bool {
    switch self {
    case .json, .text, .osmAnd, .traccar: true
    case .minimal, .ownTracks, .ownTracksCompact: false
    }
  }
}

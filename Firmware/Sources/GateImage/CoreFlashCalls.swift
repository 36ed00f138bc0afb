import ASCIIText
import FlashStorage
import InlineStorage
import Quantities
import Telemetry
import TrackerCore

/// Memory in the place of a flash memory.
struct FlashCells: FlashMemory, ~Copyable {
  let start: UnsafeMutablePointer<UInt8>
  let geometry: FlashGeometry

  mutating func read(_ place: Int, _ count: Int, into bytes: inout FlashBuffer) -> Bool {
    bytes.append(contentsOf: Span(_unsafeStart: start + place, count: count))
  }

  mutating func program(_ bytes: Span<UInt8>, at place: Int) -> Bool {
    for index in bytes.indices { start[place + index] &= bytes[index] }
    return true
  }

  mutating func erase(_ block: Int) -> Bool {
    for place in 0..<geometry.blockSize { start[block * geometry.blockSize + place] = 0xFF }
    return true
  }
}

/// That of the store: blocks of 2 KiB.
private var storeGeometry: FlashGeometry { FlashGeometry(blockSize: 2048, blockCount: 14, pageSize: 256, unit: 1) }

extension CoreRun {
  /// A tracker with a full outbox and a spool keeps its state in flash, and another goes on from it.
  @inline(never) mutating func flash() {
    var cells = InlineArray<28672, UInt8>(repeating: 0xFF)
    withUnsafeMutablePointer(to: &cells) { whole in
      whole.withMemoryRebound(to: UInt8.self, capacity: 28672) { start in
        let (waiting, spooled) = keep(start)
        goOn(start, waiting, spooled)
      }
    }
  }

  private var configuration: TrackerConfiguration {
    var configuration = TrackerConfiguration()
    configuration.outbox.hasSpool = opaque(UInt8(1)) == 1
    return configuration
  }

  @inline(never) private mutating func keep(_ cells: UnsafeMutablePointer<UInt8>) -> (waiting: Int, spooled: Int) {
    var device = Tracker(configuration: configuration)
    var state = FlashState(FlashCells(start: cells, geometry: storeGeometry))
    let isEmpty = through(.flashBegin) { state.begin() }
    expect(isEmpty)
    var step = 0
    while step < 60 {
      device.submit(step % 3 == 0 ? .ping : .locate, at: .seconds(step + 1))
      fetch(&device, &state)
      step += 1
    }
    expect(state.isComplete)
    expect(state.spoolCount > 0)
    return (device.outbox.count, state.spoolCount)
  }

  @inline(never) private mutating func goOn(_ cells: UnsafeMutablePointer<UInt8>, _ waiting: Int, _ spooled: Int) {
    var state = FlashState(FlashCells(start: cells, geometry: storeGeometry))
    let isThere = through(.flashBegin) { state.begin() }
    expect(isThere)
    expect(state.spoolCount == spooled)
    var kept = InlineBytes<16384>()
    through(.flashCollect) { state.collect(into: &kept) }
    var device = Tracker(configuration: configuration)
    let isRestored = device.restore(kept.span, at: .seconds(1))
    expect(isRestored)
    expect(device.outbox.count == waiting)
    note(UInt32(truncatingIfNeeded: waiting))
    note(device.outbox.nextSequence)
    note(state.store.counts.mostErasures)
  }

  private mutating func fetch(_ device: inout Tracker, _ state: inout FlashState<FlashCells>) {
    while let action = device.nextAction() {
      switch action {
      case .persist(let sections): _ = through(.flashKeep) { state.keep(sections, of: device) }
      case .spool(let sequence):
        let isKept = through(.flashSpool) { state.spool(sequence, of: device) }
        device.spooled(sequence, isKept: isKept)
      case .event, .transmit, .recall, .sound, .sense, .restart: break
      }
      while through(.flashTidy, { state.tidy() }) {}
    }
  }
}

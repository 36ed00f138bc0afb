import InlineStorage
import Quantities
import Telemetry

/// Times of a ride: when it began and ended, and how long it moved.
///
/// Motion detection tells a stop and its end some seconds later and with when they really were, so that each time is right once it is told.
struct RideMeter: Equatable, BitwiseCopyable {
  var start: Instant
  /// nil while it is under way.
  private(set) var end: Instant?
  private var moved: Interval = .zero
  /// Since when it has moved without a stop; nil while it stands.
  private var movingSince: Instant?

  init(start: Instant) {
    self.start = start
    movingSince = start
  }

  /// Time without stops, as far as it is known.
  func moving(at time: Instant) -> Interval {
    guard let movingSince else { return moved }
    return moved + max(.zero, (end ?? time) - movingSince)
  }

  /// It stands since a time.
  mutating func stop(at time: Instant) {
    moved = moved + max(.zero, time - (movingSince ?? time))
    movingSince = nil
  }

  /// It moves since a time; it has stood, or was not seen, since an earlier one.
  mutating func move(from time: Instant, stoodSince: Instant) {
    stop(at: stoodSince)
    movingSince = time
  }

  /// It went on unseen since a time for so long, and may be under way at another.
  mutating func goOn(for unseen: Interval, stoodSince: Instant, until time: Instant) {
    stop(at: stoodSince)
    moved = moved + unseen
    movingSince = time
  }

  /// What lies before an instant was so much earlier, and it has moved so long unseen.
  mutating func shift(_ time: Interval, before first: Instant, moved unseen: Interval) {
    if start < first { start = start - time }
    if let end, end < first { self.end = end - time }
    if let since = movingSince, since < first {
      moved = moved + max(.zero, first - since)
      movingSince = end == nil ? first : since - time
    }
    if end == nil { moved = moved + unseen }
  }

  /// It is over.
  mutating func finish(from start: Instant, to end: Instant) {
    stop(at: end)
    self.start = start
    self.end = end
    moved = min(moved, max(.zero, end - start))
  }
}

// What is kept of it over a restart: ages, as the clock begins anew.
extension RideMeter {
  struct Kept {
    var age: Interval = .zero
    var endAge: Interval?
    var moved: Interval = .zero
    var movingAge: Interval?

    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
      age = reader.age(bytes) ?? .zero
      endAge = reader.age(bytes)
      moved = reader.age(bytes) ?? .zero
      movingAge = reader.age(bytes)
    }
  }

  func encode(into content: inout SectionContent, at time: Instant) {
    content.append(age: time - start)
    content.append(age: end.map { time - $0 })
    content.append(age: moved)
    content.append(age: movingSince.map { time - $0 })
  }

  init(_ kept: Kept, at time: Instant) {
    start = time - kept.age
    end = kept.endAge.map { time - $0 }
    moved = kept.moved
    movingSince = kept.movingAge.map { time - $0 }
  }
}

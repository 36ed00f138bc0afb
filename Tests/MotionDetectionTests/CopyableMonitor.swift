import MotionDetection

/// A monitor with the meaning of a value, for worlds that go on in more than one way. The library's own is never copied.
struct CopyableMonitor {
  private final class Holder {
    var monitor: MotionMonitor

    init(_ monitor: consuming MotionMonitor) { self.monitor = monitor }
  }

  private var holder: Holder

  init(_ monitor: consuming MotionMonitor) { holder = Holder(monitor) }

  var value: MotionMonitor {
    _read { yield holder.monitor }
    _modify {
      if !isKnownUniquelyReferenced(&holder) {
        // It holds nothing but bits, and nothing is to be done at its end.
        let twin = withUnsafeMutablePointer(to: &holder.monitor) { Holder($0.move()) }
        holder = twin
      }
      yield &holder.monitor
    }
  }
}

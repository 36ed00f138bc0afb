import ASCIIText
import CPUSupport
import FirmwareUpdate
import FlashStorage
import InlineStorage

/// The board's console.
private struct StartSink: ByteSink {
  @discardableResult mutating func append(_ byte: UInt8) -> Bool {
    Board.write(byte)
    return true
  }
}

/// Chooses the image that runs, looks at its signature and at each of its bytes, and jumps into it.
///
/// The watchdog runs from here on: an image that hangs before it has one of its own is reset, too.
func runImage() {
  Board.startWatchdog()
  var sink = StartSink()
  guard let file = openSlots(), var memory = FileFlash(file), memory.geometry == Board.slots.geometry else {
    sink.append("@boot {\"trouble\":\"no slots\"}\n")
    cpu_exit(1)
  }
  let target = ImageTarget(board: Board.name, key: Ed25519Key(updateKey), slots: Board.slots)
  guard let started = target.start(in: &memory, pause: { Board.feedWatchdog() }) else {
    sink.append("@boot {\"trouble\":\"no image\"}\n")
    cpu_exit(1)
  }
  tell(started, target, &memory, &sink)
  let address = target.slots.address(of: started.slot)
  let length = Int(truncatingIfNeeded: started.header.length)
  guard file.seek(target.slots.start(of: started.slot) + ImageSlots.imageStart),
    let place = UnsafeMutablePointer<UInt8>(bitPattern: UInt(address)), file.read(into: place, length) == length
  else {
    sink.append("@boot {\"trouble\":\"no copy\"}\n")
    cpu_exit(1)
  }
  Board.feedWatchdog()
  cpu_jump(address)
}

/// Which image starts, and why it is not one of the other slot that has yet to be confirmed.
@inline(never) private func tell(
  _ started: StartedImage, _ target: ImageTarget, _ memory: inout FileFlash, _ sink: inout StartSink
) {
  sink.append("@boot {\"slot\":\"")
  sink.append(started.slot.name)
  sink.append("\",\"version\":\"")
  sink.append(decimal: UInt64(started.header.version.major))
  sink.append(".")
  sink.append(decimal: UInt64(started.header.version.minor))
  sink.append(".")
  sink.append(decimal: UInt64(started.header.version.patch))
  sink.append("\",\"trial\":")
  sink.append(started.isTrial ? "true" : "false")
  let other = target.slots.state(of: started.slot.other, in: &memory)
  if other.isAbandoned {
    sink.append(",\"other\":\"abandoned\"")
  } else if other.isWhole, !other.isConfirmed, let header = target.slots.header(of: started.slot.other, in: &memory) {
    let refusal = target.refusal(of: header, in: started.slot.other, newerThan: started.header.version) ?? .content
    sink.append(",\"other\":\"")
    sink.append(refusal.name)
    sink.append("\"")
  }
  sink.append("}\n")
}

// Nothing goes on here after an exception: the board restarts, and a start that was noted counts.

@c(fault_taken) func faultTaken(_ frame: UInt32, _ link: UInt32) { cpu_reset() }

@c(tick_taken) func tickTaken(_ frame: UInt32, _ link: UInt32) {}

@c(__stack_chk_fail) func stackProtectorFailed() { cpu_reset() }

import Quantities
import Telemetry
import TrackerCore
import TrackerRuntime

extension LifeRun {
  // MARK: What is told

  func note(_ output: RunOutput, _ bytes: Span<UInt8>) {
    guard !isCut else { return }
    let bytes = bytes.withUnsafeBufferPointer { Array($0) }
    hash.add(bytes)
    observer(now, output, bytes)
    let time = run.map { world($0.now) } ?? now
    marks.note(.stolen, run?.phase == .stolen, at: now)
    switch output {
    case .event(let event):
      switch event.kind {
      case .motion(.rideStarted):
        report.rides += 1
        witness.noteRide()
      case .motion(.resumed), .motion(.travelledUnseen): witness.noteRide()
      default: break
      }
    case .packet(let sequence, let kind):
      forecast.notePacket()
      guard let fields = PacketFields(bytes) else {
        checker.check(.sameBytes, false, at: time, "packet \(sequence) is no JSON")
        return
      }
      guard checker.notePacket(sequence, fields, bytes, at: time) else { return }
      senses.notePacket()
      if fields.reason == "lastPosition" { checker.noteLastPosition(at: time) }
      if let request = fields.request, let reason = fields.reason { report.note(reason, to: request) }
      if kind == .ride, fields.boot == UInt32(life), let (start, end) = fields.ride {
        trips.noteTold(from: moment(start), to: moment(end), at: time)
      }
      let made = fields.uptime.map { world(.zero + $0) } ?? time
      if kind == .movement { noteAlert(at: time, made: made) }
      if fields.boot == UInt32(life), let utc = fields.utc {
        checker.noteUTC(utc - telephone.utcMilliseconds, of: sequence, madeAt: made)
      }
      checkPosition(fields, sequence, at: made)
    }
  }

  private func moment(_ moment: PacketFields.Moment) -> Instant {
    switch moment {
    case .utc(let milliseconds): .zero + .milliseconds(Int(milliseconds - telephone.utcMilliseconds))
    case .uptime(let seconds): world(.zero + Interval(microseconds: Int64((seconds * 1e6).rounded())))
    }
  }

  private func noteAlert(at time: Instant, made: Instant) {
    markAlert(at: time)
    witness.noteAlert(at: time, made: made, checker: checker)
    if owesAnswer, answerAt == nil { answerAt = time + LifeRun.attention }
  }

  private func checkPosition(_ fields: PacketFields, _ sequence: UInt32, at time: Instant) {
    guard let accuracy = fields.accuracy, let receiver = scenario.scene.scene.receiver,
      let stated = receiver.stated, stated >= receiver.sigma, receiver.outliersPerWeek == 0,
      // What an earlier life has made has another clock.
      fields.boot == UInt32(life), let error = truth.error(of: fields, at: time, since: boot)
    else { return }
    // Its radius holds 68 %; six of it are never left by chance within a campaign.
    checker.check(
      .positionIsTrue, error <= 6 * accuracy + 1, at: time,
      "packet \(sequence) is \(Int(error)) m from where the vehicle was, and says \(accuracy) m")
  }
}

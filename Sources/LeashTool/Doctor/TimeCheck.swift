import LinuxDevices
import Quantities
import TrackerRuntime
import Telemetry

extension DoctorCheck {
  /// The machine's clocks. The tracker counts time by the monotonic one; certificates and logs need the other.
  static let time = DoctorCheck(name: "time") { patient in
    let first = patient.machine.clock()
    let second = patient.machine.clock()
    var findings: [Finding] = []
    if second.monotonic < first.monotonic {
      findings.append(
        .fail(
          "time", "the monotonic clock goes back",
          advice: "choose another: cat /sys/devices/system/clocksource/clocksource0/*"))
    }
    // The first day of the year this was written in: a board without a battery begins in 1970, or when it was switched off.
    let isSet = first.utcSeconds >= 1_767_225_600
    var text = ByteBuffer()
    text.append(iso8601: UTCTime(microseconds: first.utcSeconds * 1_000_000))
    let day = String(decoding: text.bytes, as: UTF8.self)
    switch (isSet, first.isSynchronised) {
    case (false, _):
      findings.append(
        .fail(
          "time", "the clock says \(day): not set, so certificates look invalid",
          advice: "sudo timedatectl set-ntp true; without a network: sudo date -s '2026-07-01 12:00'"))
    case (true, false?):
      findings.append(
        .warn(
          "time", "\(day); clock not synchronised",
          advice: "timedatectl status; sudo timedatectl set-ntp true"))
    default: findings.append(.ok("time", "\(day)" + (first.isSynchronised == true ? ", synchronised" : "")))
    }
    let suspended = first.sinceStart - first.monotonic
    if suspended > .seconds(1) {
      findings.append(
        .warn(
          "time",
          "the machine was suspended for \(suspended.microseconds / 1_000_000) s since its start; the tracker does not run then",
          advice: "sudo systemctl mask suspend.target sleep.target hibernate.target"))
    }
    return findings
  }
}

import Quantities
import SIM7000
import TrackerRuntime

/// Numbers of which each rise is a rare state.
struct RareCounts: Equatable {
  var duplicates = 0
  var noise = 0
  var unkept = 0
}

/// Marks rare states as they are reached; nothing in a life depends on them.
extension LifeRun {
  /// A cut so soon after the start comes again.
  private static var soon: Interval { .seconds(60) }

  private var isAlarmed: Bool { run?.phase == .alarmed || run?.phase == .stolen }

  /// The supply goes.
  func markCut(at time: Instant) {
    if isAlarmed { marks.note(.cutInAlarm, at: time) }
    if run?.phase == .riding { marks.note(.cutOnRide, at: time) }
    if modem.holdsPacket { marks.note(.cutInFlight, at: time) }
    if store.isKeeping { marks.note(.cutWhileKeeping, at: time) }
    if lineEnd != nil { marks.note(.cutOnBadLine, at: time) }
    if life > 1, time - boot < LifeRun.soon { marks.note(.cutAgain, at: time) }
  }

  /// A tracker has begun with what was kept.
  func markRestart(_ run: TrackerRun, _ kept: LifeStore.Content, at time: Instant) {
    if let isWhole = store.tornIsWhole { marks.note(isWhole ? .tornIsWhole : .tornIsPart, at: time) }
    if !kept.packets.isEmpty { marks.note(.restartWithPackets, at: time) }
    if store.count > 0 { marks.note(.restartWithSpool, at: time) }
    if run.phase == .stolen { marks.note(.restartStolen, at: time) }
  }

  /// An alert is made.
  func markAlert(at time: Instant) {
    if outageEnd.map({ $0 > time }) ?? false {
      marks.note(.alertWithoutServers, at: time)
    } else if server.isAway(at: time) {
      marks.note(.alertWithoutSecond, at: time)
    }
    if modem.isStarting { marks.note(.alertWithoutModem, at: time) }
    if trouble.isPresent(at: time) { marks.note(.alertInTrouble, at: time) }
  }

  /// A sensor goes wrong.
  func markTrouble() {
    if isAlarmed { marks.note(.troubleInAlarm, at: now) }
    if run?.phase == .riding { marks.note(.troubleOnRide, at: now) }
  }

  /// The owner writes.
  func markRequest() {
    if run == nil { marks.note(.requestWhileOff, at: now) }
    if isAlarmed { marks.note(.requestInAlarm, at: now) }
  }

  /// The driver climbs a rung of its ladder.
  func markRecovery(_ rung: RecoveryRung) {
    switch rung {
    case .reset: marks.note(.modemReset, at: now)
    case .power: marks.note(.modemPowerCycle, at: now)
    case .retry, .session, .bearer, .attach, .radio: break
    }
  }

  /// What the server and the storage have counted since the last time.
  func markCounts() {
    let counts = RareCounts(
      duplicates: checker.duplicateCount, noise: checker.noiseCount, unkept: store.unkeptCount)
    guard counts != counted else { return }
    if counts.duplicates > counted.duplicates { marks.note(.sentTwice, at: now) }
    if counts.noise > counted.noise { marks.note(.commandsSent, at: now) }
    if counts.unkept > counted.unkept { marks.note(.sentUnkept, at: now) }
    counted = counts
  }
}

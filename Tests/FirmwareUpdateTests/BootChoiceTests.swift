import FirmwareUpdate
import Testing

private func state(
  _ patch: UInt16?, whole: Bool = true, attempts: Int = 0, confirmed: Bool = false, abandoned: Bool = false
) -> SlotState {
  var state = SlotState()
  state.version = patch.map { FirmwareVersion(1, 0, $0) }
  state.isWhole = whole
  state.attempts = attempts
  state.isConfirmed = confirmed
  state.isAbandoned = abandoned
  return state
}

private var everyState: [SlotState] {
  var result: [SlotState] = []
  for patch: UInt16? in [nil, 1, 2] {
    for attempts in 0...4 {
      for bits in 0..<8 {
        result.append(
          state(
            patch, whole: bits & 1 != 0, attempts: attempts, confirmed: bits & 2 != 0, abandoned: bits & 4 != 0))
      }
    }
  }
  return result
}

@Suite struct BootChoiceTests {
  @Test func theNewestThatIsConfirmedOrMayBeTriedRuns() {
    let old = state(1, confirmed: true)
    #expect(BootChoice.next(old, state(nil)) == .run(.a))
    #expect(BootChoice.next(old, state(2, whole: false)) == .run(.a))
    #expect(BootChoice.next(old, state(2)) == .attempt(.b))
    #expect(BootChoice.next(old, state(2, attempts: 2)) == .attempt(.b))
    #expect(BootChoice.next(old, state(2, attempts: 3)) == .abandon(.b))
    #expect(BootChoice.next(old, state(2, attempts: 3, abandoned: true)) == .run(.a))
    #expect(BootChoice.next(old, state(2, attempts: 1, abandoned: true)) == .run(.a))
    #expect(BootChoice.next(old, state(2, attempts: 3, confirmed: true)) == .run(.b))
    #expect(BootChoice.next(state(2, confirmed: true), state(1, confirmed: true)) == .run(.a))
    #expect(BootChoice.next(state(1), state(1, confirmed: true)) == .run(.b))
  }

  @Test func anImageThatHasFailedIsBetterThanNone() {
    #expect(BootChoice.next(state(1, attempts: 3), state(nil)) == .run(.a))
    #expect(BootChoice.next(state(nil), state(2, attempts: 3, abandoned: true)) == .run(.b))
    #expect(BootChoice.next(state(1, attempts: 4), state(2, attempts: 3)) == .run(.b))
    #expect(BootChoice.next(state(nil), state(nil)) == .nothing)
    #expect(BootChoice.next(state(1, whole: false), state(nil, confirmed: true)) == .nothing)
  }

  @Test func whateverTheSlotsHoldAnImageRunsIfThereIsOne() {
    for a in everyState {
      for b in everyState {
        var states = [a, b]
        var turns = 0
        var choice = BootChoice.next(a, b)
        while case .abandon(let slot) = choice {
          states[Int(slot.rawValue)].isAbandoned = true
          turns += 1
          guard turns <= 2 else { break }
          choice = BootChoice.next(states[0], states[1])
        }
        switch choice {
        case .nothing: #expect(!a.isUsable && !b.isUsable)
        case .run(let slot):
          let (own, other) = (states[Int(slot.rawValue)], states[Int(slot.other.rawValue)])
          #expect(own.isUsable)
          // One that has failed runs only where there is nothing else.
          #expect(own.isConfirmed || !other.isFit)
        case .attempt(let slot):
          let (own, other) = (states[Int(slot.rawValue)], states[Int(slot.other.rawValue)])
          #expect(own.isFit && !own.isConfirmed)
          if other.isFit, let left = own.version, let right = other.version { #expect(left >= right) }
        case .abandon: Issue.record("without an end: \(a) \(b)")
        }
      }
    }
  }

  @Test func aTrialEndsWithAPacketOrAfterAnHour() {
    var trial = UpdateTrial(isTrial: true)
    #expect(trial.task(at: 0) == .nothing && trial.task(at: UpdateTrial.patience - 1) == .nothing)
    #expect(trial.task(at: UpdateTrial.patience) == .restart)
    trial.noteDelivery()
    #expect(trial.task(at: 5) == .confirm && trial.task(at: UpdateTrial.patience) == .confirm)
    trial.noteConfirmed()
    #expect(trial.task(at: 5) == .nothing && trial.task(at: .max) == .nothing)
    var other = UpdateTrial(isTrial: false)
    #expect(other.task(at: .max) == .nothing)
    other.noteDelivery()
    #expect(other.task(at: 5) == .nothing)
  }
}

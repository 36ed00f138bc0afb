import Quantities
import Rules
import Testing

/// The machine of the collar, edge by edge, by the names of its test cases.
@Suite struct FenceAlarmTests {
  private let parameters = FenceParameters()

  private func alerting() -> FenceAlarm {
    var alarm = FenceAlarm()
    _ = alarm.assign()
    _ = alarm.exit(at: .seconds(100), parameters)
    return alarm
  }

  @Test func tc1UnassignedIsIdleOnceAFenceIsAssigned() {
    var alarm = FenceAlarm()
    #expect(alarm.state == .unassigned)
    let end = alarm.assign()
    #expect(alarm.state == .idle && end == nil && alarm.nextDeadline == nil)
  }

  @Test func tc2IdleAlertsOnExit() {
    var alarm = FenceAlarm()
    _ = alarm.assign()
    let isTold = alarm.exit(at: .seconds(100), parameters)
    #expect(isTold && alarm.state == .alerting && alarm.repetition == 0 && alarm.nextDeadline == .seconds(160))
  }

  @Test func tc3IdleIsUnassignedWhenItsFenceIsRemoved() {
    var alarm = FenceAlarm()
    _ = alarm.assign()
    let end = alarm.remove()
    #expect(alarm.state == .unassigned && end == nil)
  }

  @Test func tc4AlertsEndOnEntry() {
    var alarm = alerting()
    let end = alarm.enter()
    #expect(alarm.state == .idle && end == .entered && alarm.nextDeadline == nil)
  }

  @Test func tc5AlertsEndWhenTheFenceIsRemoved() {
    var alarm = alerting()
    let end = alarm.remove()
    #expect(alarm.state == .unassigned && end == .removed && alarm.nextDeadline == nil)
  }

  @Test func foundSuppressesUntilItIsBackAndTheNextExitAlertsAgain() {
    var alarm = alerting()
    let end = alarm.found()
    #expect(end == .found && alarm.state == .suppressed && alarm.nextDeadline == nil)
    let isToldAgain = alarm.exit(at: .seconds(500), parameters)
    let again = alarm.found()
    #expect(!isToldAgain && again == nil)
    let entered = alarm.enter()
    #expect(entered == nil && alarm.state == .idle)
    let isTold = alarm.exit(at: .seconds(900), parameters)
    #expect(isTold && alarm.repetition == 0)
  }

  @Test func suppressedIsUnassignedWhenTheFenceIsRemoved() {
    var alarm = alerting()
    _ = alarm.found()
    let end = alarm.remove()
    #expect(end == nil && alarm.state == .unassigned)
  }

  /// Every door in every state: what is no edge of the table changes nothing and tells nothing.
  @Test func noOtherEdgeThanThoseOfTheTable() {
    for state in FenceAlarmState.allCases {
      var alarm = FenceAlarm(state, repetition: 3, at: .zero)
      let isTold = alarm.exit(at: .seconds(1), parameters)
      #expect(isTold == (state == .idle) && alarm.state == (state == .idle ? .alerting : state))
      alarm = FenceAlarm(state, repetition: 3, at: .zero)
      let found = alarm.found()
      #expect((found == .found) == (state == .alerting) && alarm.state == (state == .alerting ? .suppressed : state))
      alarm = FenceAlarm(state, repetition: 3, at: .zero)
      let entered = alarm.enter()
      #expect((entered == .entered) == (state == .alerting) && alarm.state == (state == .unassigned ? state : .idle))
      alarm = FenceAlarm(state, repetition: 3, at: .zero)
      let isToldAgain = alarm.advance(to: .seconds(1), parameters)
      #expect(isToldAgain == (state == .alerting))
    }
  }

  @Test func anAlertIsToldAgainEveryMinuteAndCounted() {
    var alarm = alerting()
    var told: [Int] = []
    for second in 101...1000 where alarm.advance(to: .seconds(second), parameters) {
      told.append(second)
      #expect(Int(alarm.repetition) == told.count)
    }
    #expect(told == Array(stride(from: 160, through: 1000, by: 60)))
  }

  @Test func theTimeBetweenTwoAlertsIsHalfAMinuteToADay() {
    for (seconds, expected) in [(1, 30), (29, 30), (30, 30), (31, 31), (86_400, 86_400), (86_401, 86_400)] {
      var parameters = FenceParameters()
      parameters.repeatInterval = .seconds(seconds)
      var alarm = FenceAlarm()
      _ = alarm.assign()
      _ = alarm.exit(at: .seconds(7), parameters)
      #expect(alarm.nextDeadline == .seconds(7 + expected))
    }
  }

  /// A deadline that is now already would be waited for without end.
  @Test func anAlertOfAnEarlierLifeIsToldAgainAsSoonAsTimePasses() throws {
    var alarm = FenceAlarm(.alerting, repetition: 3, at: .seconds(7))
    let due = try #require(alarm.nextDeadline)
    #expect(due > .seconds(7) && due <= .seconds(7) + .milliseconds(1))
    let isTold = alarm.advance(to: due, parameters)
    #expect(isTold && alarm.repetition == 4)
  }

  @Test func countsDoNotOverflow() {
    var alarm = FenceAlarm(.alerting, repetition: .max, at: .zero)
    let isTold = alarm.advance(to: .seconds(1), parameters)
    #expect(isTold && alarm.repetition == .max)
  }
}

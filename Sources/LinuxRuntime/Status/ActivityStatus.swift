import Activity

extension BoardStatus.ActivityStatus {
  /// Of the days of a pet.
  init(_ ledger: borrowing ActivityLedger) {
    let today = ledger.today
    self.init(
      steps: Int(today.wholeSteps), activeMinutes: Int(today.activeMinutes), restMinutes: Int(today.restMinutes),
      measuredMinutes: Int(today.measuredMinutes), usualMinutes: ledger.habitMinutes.map { Int($0) },
      knownDays: Int(ledger.habitCount))
  }
}

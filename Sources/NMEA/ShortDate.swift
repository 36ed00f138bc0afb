public import Quantities

/// A date with two digits of the year, as RMC gives it.
@frozen public struct ShortDate: Equatable, BitwiseCopyable, Sendable {
  /// Day of the month, 1 to 31.
  public var day: UInt8
  /// Month, 1 to 12.
  public var month: UInt8
  /// The last two digits of the year.
  public var yearOfCentury: UInt8

  /// A date as received; that the month has such a day is not checked here.
  @inlinable public init(day: UInt8, month: UInt8, yearOfCentury: UInt8) {
    self.day = day
    self.month = month
    self.yearOfCentury = yearOfCentury
  }

  /// The calendar date with a year from 1980, where GPS time begins, to 2079; nil when there is no such day.
  public var civilDate: CivilDate? {
    let year = Int(yearOfCentury) + (yearOfCentury < 80 ? 2000 : 1900)
    return CivilDate(year: year, month: Int(month), day: Int(day))
  }
}

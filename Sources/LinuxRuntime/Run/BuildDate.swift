import CLinuxShim
import Quantities

/// The day on which the program was built. What a receiver says is not before it.
package enum BuildDate {
  /// The day; nil when the compiler told none.
  package static var date: CivilDate? { parsed(String(cString: leash_build_date())) }

  /// Reads the date of a C compiler: `Nov  4 2026`.
  static func parsed(_ text: String) -> CivilDate? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let words = text.split(separator: " ")
    guard words.count == 3, let month = months.firstIndex(of: String(words[0])), let day = Int(words[1]),
      let year = Int(words[2])
    else { return nil }
    return CivilDate(year: year, month: month + 1, day: day)
  }
}

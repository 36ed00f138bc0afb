import LinuxRuntime
import Quantities

/// The rides of a state file as people and programs read them.
enum StateTripText {
  static func table(_ rides: [StateRides.Row]) -> String {
    var table = TextTable(
      ("ride", .right), ("start", .left), ("end", .left), ("distance", .right), ("time", .right), ("moving", .right),
      ("mean", .right), ("top", .right), ("climb", .right), ("gear", .left))
    for ride in rides {
      table.add(
        ride.number.map { "\($0)" } ?? "", moment(ride.start), ride.isUnderWay ? "under way" : moment(ride.end),
        TimeText.distance(ride.distance), ride.duration.map { TimeText.length($0) } ?? "", TimeText.length(ride.moving),
        ride.meanSpeed.map { TripText.speed($0) } ?? "", ride.topSpeed.map { TripText.speed($0) } ?? "",
        ride.climb.map { TripText.climb(Float($0), Float(ride.climbUncertainty)) } ?? "", ride.gear ?? "")
    }
    return table.text()
  }

  private static func moment(_ utc: UTCTime?) -> String {
    utc.map { String(TripText.iso8601($0).prefix(10)) + " " + TimeText.timeOfDay($0) } ?? ""
  }

  static func json(_ ride: StateRides.Row) -> String {
    var members: [String] = []
    func add(_ name: String, _ value: String?) { if let value { members.append("\"\(name)\":\(value)") } }
    add("number", ride.number.map { "\($0)" })
    add("startUTC", ride.start.map { "\"\(TripText.iso8601($0))\"" })
    add("endUTC", ride.end.map { "\"\(TripText.iso8601($0))\"" })
    add("isUnderWay", ride.isUnderWay ? "true" : nil)
    add("distance", TimeText.decimal(ride.distance, 1))
    add("duration", ride.duration.map { TimeText.decimal($0.secondsDouble, 3) })
    add("movingTime", TimeText.decimal(ride.moving.secondsDouble, 3))
    add("meanSpeed", ride.meanSpeed.map { TimeText.decimal($0, 2) })
    add("topSpeed", ride.topSpeed.map { TimeText.decimal($0, 2) })
    add("climb", ride.climb.map { TimeText.decimal($0, 1) })
    add("climbUncertainty", ride.climb.map { _ in TimeText.decimal(ride.climbUncertainty, 1) })
    add("gear", ride.gear.map { jsonString($0) })
    return "{" + members.joined(separator: ",") + "}"
  }
}

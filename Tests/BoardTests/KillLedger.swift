import Foundation
import Quantities
import Testing

/// What was played and asked over all lives, and what must be true of what arrived.
struct KillLedger {
  /// A movement that was played.
  struct Movement {
    /// First frame that was shaken.
    var begin: Instant
    /// First frame that was not.
    var end: Instant
    /// The tracker said so before it died.
    var wasTold: Bool
  }

  /// A packet as it arrived, as far as it matters here.
  struct Arrival: Decodable {
    struct Alert: Decodable { var id: Int }
    var type: String
    var sequence: Int
    var uptime: Double
    var distance: Int
    var alert: Alert?
  }

  var movements: [Movement] = []
  /// Requests by their text: sent, and of those the ones that were accepted before death.
  var sent: [String: Int] = [:]
  var accepted: [String: Int] = [:]
  /// Requests that went with an answer of the server, which a death may swallow.
  var sentWithAnswers = 0

  /// Holds what arrived against what was played.
  ///
  /// - Parameter last: Number of the last alert as the tracker itself counts.
  func check(_ bodies: [String], lastAlert: Int) throws {
    let arrivals = try KillLedger.arrivals(bodies)
    checkAlerts(arrivals, lastAlert)
    checkRequests(arrivals)
  }

  /// Packets in the order of their numbers, each once: no number is missing or has two texts, and the odometer never goes back.
  static func arrivals(_ bodies: [String]) throws -> [Arrival] {
    var texts: [Int: String] = [:]
    var arrivals: [Arrival] = []
    for body in bodies {
      let arrival = try JSONDecoder().decode(Arrival.self, from: Data(body.utf8))
      if let known = texts[arrival.sequence] {
        #expect(known == body, "two packets with the number \(arrival.sequence)")
      } else {
        texts[arrival.sequence] = body
        arrivals.append(arrival)
      }
    }
    arrivals.sort { $0.sequence < $1.sequence }
    #expect(arrivals.map(\.sequence) == Array(1..<(arrivals.count + 1)), "packets are missing")
    for (one, next) in zip(arrivals, arrivals.dropFirst()) where next.distance < one.distance {
      Issue.record("the odometer went from \(one.distance) m to \(next.distance) m at packet \(next.sequence)")
    }
    return arrivals
  }

  private func checkAlerts(_ arrivals: [Arrival], _ lastAlert: Int) {
    let alerts = arrivals.filter { $0.type == "movement" }
    #expect(alerts.map { $0.alert?.id ?? 0 } == Array(1..<(alerts.count + 1)), "alerts are missing or doubled")
    #expect(alerts.count == lastAlert, "alerts that arrived, and alerts the tracker counted")
    var raised = [Int](repeating: 0, count: movements.count)
    for alert in alerts {
      // A window of the detectors may end a little after the shaking.
      let places = movements.indices.filter {
        alert.uptime >= movements[$0].begin.secondsDouble - 0.002
          && alert.uptime <= movements[$0].end.secondsDouble + 0.15
      }
      #expect(places.count == 1, "alert \(alert.alert?.id ?? 0) at \(alert.uptime) s has no movement: it is invented")
      for place in places { raised[place] += 1 }
    }
    for (movement, count) in zip(movements, raised) {
      #expect(count <= 1, "the movement at \(movement.begin.secondsDouble) s raised \(count) alerts")
      if movement.wasTold { #expect(count == 1, "the alert of \(movement.begin.secondsDouble) s was lost") }
    }
  }

  private func checkRequests(_ arrivals: [Arrival]) {
    let statuses = arrivals.count { $0.type == "status" }
    let switches = ["alerts on", "alerts off"]
    #expect(statuses >= switches.reduce(0) { $0 + accepted[$1, default: 0] }, "an accepted request was lost")
    #expect(statuses <= switches.reduce(0) { $0 + sent[$1, default: 0] }, "a request was invented")
    let locations = arrivals.count { $0.type == "location" }
    #expect(locations >= accepted["locate", default: 0], "an accepted request was lost")
    #expect(locations <= sent["locate", default: 0] + sentWithAnswers, "a report was invented")
  }
}

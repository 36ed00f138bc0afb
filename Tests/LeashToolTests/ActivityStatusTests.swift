import Foundation
import LinuxRuntime
import Testing

@testable import LeashTool

/// What `leash status` says of a pet.
@Test func statusTellsWhatAPetDidTodayAndNothingOfABike() throws {
  let tracker = try LiveTracker()
  #expect(!ToolRun("status", "--socket", tracker.socket).out.contains("Activity"))
  _ = ToolRun("tell", "--socket", tracker.socket, "profile set name \"Rex\" kind dog")
  let status = ToolRun("status", "--socket", tracker.socket)
  let line = "Activity            0 steps, 0 min active, 0 min at rest today; its habit is not known yet, of 0 days"
  #expect(status.out.contains(line), "\(status.out)")
  _ = ToolRun("tell", "--socket", tracker.socket, "profile set name \"Koga\" kind bike")
  #expect(!ToolRun("status", "--socket", tracker.socket).out.contains("Activity"))
}

@Test func theHabitOfAPetIsInItsStatus() throws {
  let text =
    #"{"steps":8214,"activeMinutes":95,"restMinutes":310,"measuredMinutes":700,"usualMinutes":120,"knownDays":14}"#
  var activity = try JSONDecoder().decode(BoardStatus.ActivityStatus.self, from: Data(text.utf8))
  #expect(StatusText.words(activity) == "8214 steps, 95 min active, 310 min at rest today; usually 120 min active")
  (activity.usualMinutes, activity.knownDays) = (nil, 1)
  #expect(
    StatusText.words(activity)
      == "8214 steps, 95 min active, 310 min at rest today; its habit is not known yet, of 1 day")
}

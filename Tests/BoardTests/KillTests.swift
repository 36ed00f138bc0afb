import Foundation
import Testing

/// Kills the real program at random moments, with sensor, uplink and the owner's requests in full swing.
@Test(.timeLimit(.minutes(30)))
func killedAtTwoHundredRandomMomentsItLosesNoAlertAndInventsNone() throws {
  let settings = ProcessInfo.processInfo.environment
  let seed = settings["LEASH_KILL_SEED"].flatMap { UInt64($0) } ?? 1
  let kills = settings["LEASH_KILLS"].flatMap { Int($0) } ?? 200
  let scene = try KillScene(seed: seed)
  defer { scene.stop() }
  do {
    try scene.play(kills: kills)
    try scene.check()
  } catch {
    Issue.record("\(error)")
  }
  print("\(scene.story); again with LEASH_KILL_SEED=\(seed) LEASH_KILLS=\(kills)")
}

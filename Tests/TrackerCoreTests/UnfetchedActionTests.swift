import Quantities
import Testing
import TrackerCore

/// A tracker asked for its place, of whose actions so many have been fetched before the next input.
private func inputAfter(fetching count: Int) -> [Action] {
  var tracker = Tracker()
  tracker.advance(to: .seconds(1))
  while tracker.nextAction() != nil {}
  tracker.submit(.locate, at: .seconds(2))
  var fetched: [Action] = []
  while fetched.count < count, let action = tracker.nextAction() { fetched.append(action) }
  tracker.advance(to: .seconds(3))
  return fetched
}

@Test func debugBuildsTrapWhenWhatIsToBeKeptIsNotFetched() async {
  await #expect(processExitsWith: .failure) { _ = inputAfter(fetching: 0) }
}

@Test func debugBuildsTrapWhenWhatIsToBeSentIsNotFetched() async {
  await #expect(processExitsWith: .failure) { _ = inputAfter(fetching: 1) }
  // Keeping and sending are all there is to do: a third call answers nil, and the next input is welcome.
  let all = inputAfter(fetching: 3)
  #expect(all.count == 2)
  guard case .persist = all.first, case .transmit(_, .location) = all.last else {
    Issue.record("\(all)")
    return
  }
}

import MotionDetection
import Quantities
import TestSupport
import Testing

/// What is learnt of a receiver while an inertial sensor knows that the vehicle stands.
@Suite struct VouchedFixTests {
  /// A sensor that feels nothing, and a receiver that goes so many metres away within five minutes and comes back.
  private func wandered(by metres: Double, times: Int = 1) -> Scene {
    var scene = Scene(hertz: 10)
    scene.still(seconds: 30)
    for second in 0..<(600 * times) {
      scene.still(seconds: 1)
      scene.north = metres * 0.5 * (1 - Elementary.cos(Double(second) * 2 * Double.pi / 600))
      scene.fix()
    }
    return scene
  }

  @Test func aReceiverThatWandersBesideAStillVehicleIsNotBelievedInTheFirstGust() {
    var scene = wandered(by: 60)
    #expect(scene.monitor.isArmed == true)
    _ = scene.news()
    for second in 600..<900 {
      // A gust from the sixth minute on, so that nothing vouches.
      scene.sway(seconds: 1, degrees: 0.5, hertz: 1)
      scene.north = 60 * 0.5 * (1 - Elementary.cos(Double(second) * 2 * Double.pi / 600))
      scene.fix()
    }
    let news = scene.news()
    #expect(news.movements.isEmpty && news.rideStarts.isEmpty, "\(news.movements)")
  }

  @Test func whatIsFourTimesAsFarAsAReceiverMayBeTeachesNothing() {
    // The limit is 25 m as long as nothing is known.
    func learnt(_ metres: Double) -> Float {
      var scene = Scene(hertz: 10)
      for step in 0..<1200 {
        scene.still(seconds: 1)
        scene.north = step < 300 ? 0 : min(metres, Double(step - 300) * 4)
        scene.fix()
      }
      return scene.monitor.fixScatter.deviation
    }
    #expect(learnt(90) > 10, "\(learnt(90))")
    #expect(learnt(700) < 10, "\(learnt(700))")
  }

  @Test(arguments: [5.0, 40]) func whatIsCarriedOffAfterwardsIsToldByTheThirdFix(wander: Double) {
    var scene = wandered(by: wander, times: 6)
    _ = scene.news()
    scene.sway(seconds: 2, degrees: 2, hertz: 1)
    scene.clock = scene.clock + .seconds(15)
    scene.north = 300
    for count in 1...3 {
      scene.sway(seconds: 1, degrees: 2, hertz: 1)
      scene.fix()
      #expect(scene.news().movements.contains { $0.detector == .displacement } == (count == 3), "\(count)")
    }
  }
}

import Quantities
import Testing

@testable import VehicleSimulation

@Suite struct FamilyTests {
  @Test func eachNumberHasARangeASourceAndIsDrawnWithinIt() {
    for kind in FamilyKind.allCases {
      let families = ParameterFamily.all(kind)
      #expect(Set(families.map(\.name)).count == families.count)
      for family in families {
        #expect(!family.about.isEmpty && ParameterFamily.named(family.name, kind) == family)
        #expect(Set(family.parameters.map(\.name)).count == family.parameters.count, "\(family.name)")
        for seed in 0..<20 {
          let member = family.drawn(seed: UInt64(seed))
          for parameter in family.parameters {
            #expect(!parameter.source.isEmpty)
            let values = member.all(parameter.name)
            #expect(values.count == parameter.count)
            #expect(values.allSatisfy { parameter.range.contains($0) }, "\(family.name) \(parameter.name)")
          }
        }
        #expect(family.drawn(seed: 4) == family.drawn(seed: 4))
      }
    }
    #expect(
      ParameterFamily.named("bmi270", .sensor)?.drawn(seed: 1)
        != ParameterFamily.named("bmi270", .sensor)?.drawn(seed: 2))
  }

  @Test func aMemberTakesOnlyNumbersThatItsFamilyHas() {
    guard var member = ParameterFamily.named("bikeInRack", .vehicle)?.drawn(seed: 1) else {
      Issue.record("no family")
      return
    }
    let set = [member.set("mass", 14), member.set("mass", 200), member.set("weight", 14)]
    #expect(set == [true, false, false])
    #expect(member["mass"] == 14)
  }

  @Test func aFamilyThatIsKeptOutIsNeverDrawn() {
    var choice = FamilyChoice()
    var seen: Set<String> = []
    func draw(isCollar: Bool) -> Set<String> {
      let choice = choice
      return Set(
        (0..<300).flatMap {
          choice.drawn(seed: UInt64($0), isCollar: isCollar).map { "\($0.family.kind.rawValue).\($0.family.name)" }
        })
    }
    seen = draw(isCollar: false).union(draw(isCollar: true))
    // With all of them, each is drawn now and then.
    for kind in FamilyKind.allCases {
      for family in ParameterFamily.all(kind) {
        #expect(seen.contains("\(kind.rawValue).\(family.name)"), "\(family.name)")
      }
    }
    choice.without = ["sensor.mpu6050", "receiver"]
    seen = draw(isCollar: false)
    #expect(!seen.contains("sensor.mpu6050") && !seen.contains { $0.hasPrefix("receiver.") })
    #expect(seen.contains("sensor.bmi270"))
    // What is drawn of the others is what it was.
    let member = choice.drawn(seed: 9, isCollar: false).first { $0.family.kind == .road }
    choice.without = []
    #expect(member == choice.drawn(seed: 9, isCollar: false).first { $0.family.kind == .road })
  }

  @Test func aSceneTakesWhatItsFamiliesSay() {
    var scene = StreetScene()
    scene.receiver = StreetReceiver()
    func member(_ name: String, _ kind: FamilyKind, _ numbers: [String: Double] = [:]) -> [FamilyMember] {
      guard var member = ParameterFamily.named(name, kind)?.drawn(seed: 3) else { return [] }
      for (name, value) in numbers {
        let isSet = member.set(name, value)
        #expect(isSet)
      }
      return [member]
    }
    scene.take(
      member("adxl345", .sensor, ["accBias": 100, "accRange": 16, "jitter": 1])
        + member("saddle", .mounting, ["z": 0.9])
        + member("bikeAtWall", .vehicle, ["mass": 12, "lean": 10]) + member("cobbles", .road, ["roughness": 256])
        + member("boasting", .receiver, ["honesty": 0.3]) + member("van", .van, ["mass": 2000]))
    #expect(scene.instrument.map { abs($0.accelerometer.bias.x - 0.980665) < 1e-4 && !$0.hasGyroscope } == true)
    #expect(scene.instrument.map { abs($0.accelerometer.resolution - 16 * 9.80665 / 4096) < 1e-5 } == true)
    #expect(scene.sensor.arm.z == 0.9 && scene.mount != nil)
    #expect(scene.van.mass == 2000 && scene.satellites?.honesty == 0.3)
    guard case .bike(let bike) = scene.vehicle else {
      Issue.record("no bicycle")
      return
    }
    #expect(bike.frame.mass == 12 && bike.road.roughness == 256e-6)
    if case .wall(let lean) = bike.frame.support {
      #expect(abs(lean - 0.174533) < 1e-5)
    } else {
      Issue.record("no wall")
    }
    // A receiver that boasts is none whose accuracy can be counted on.
    #expect(scene.receiver.map { ($0.stated ?? 0) < $0.sigma } == true)
  }

  @Test func everyBicycleOfEveryFamilyStandsAndIsStillThereAfterASquall() {
    for name in ["bikeOnSideStand", "eBikeOnSideStand", "bikeAtWall", "bikeInRack"] {
      for seed in 0..<6 {
        guard let member = ParameterFamily.named(name, .vehicle)?.drawn(seed: UInt64(seed)),
          case .bike(let bike) = StreetVehicle(member)
        else {
          Issue.record("no bicycle")
          return
        }
        var run = BikeRun(bike, random: SeededRandom(seed: UInt64(seed)))
        #expect(run.body.isUpright, "\(name) \(seed)")
        var wind = StreetDeed(.wind)
        wind.set("speed", 6)
        wind.set("seconds", 8)
        run.begin(wind)
        for _ in 0..<8000 { run.step(speed: 0) }
        #expect(run.body.isUpright, "\(name) \(seed)")
      }
    }
  }
}

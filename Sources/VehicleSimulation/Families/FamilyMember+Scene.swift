import Quantities

extension StreetScene {
  /// Takes members of families in place of what the scene has, whatever their order.
  package mutating func take(_ members: [FamilyMember]) {
    func member(_ kind: FamilyKind) -> FamilyMember? { members.last { $0.family.kind == kind } }
    if let sensor = member(.sensor) { instrument = Instrument(sensor) }
    if let mounting = member(.mounting) {
      let rotation = mounting.mountingRotation
      if instrument == nil { instrument = Instrument(self.sensor, seed: seed) }
      instrument?.bodyFromSensor = rotation
      self.sensor.arm = (mounting["x"], mounting["y"], mounting["z"])
      var strap = SensorMount()
      (strap.hertz, strap.damping, strap.lever) = (
        mounting["strapHertz"], mounting["strapDamping"], mounting["strapLever"]
      )
      mount = mounting.family.isForCollar ? nil : strap
    }
    if let vehicle = member(.vehicle) { self.vehicle = StreetVehicle(vehicle, road: member(.road)) }
    if case .bike(var bike) = self.vehicle, member(.vehicle) == nil, let road = member(.road) {
      bike.road = RoadSurface(road)
      self.vehicle = .bike(bike)
    }
    if let van = member(.van) { self.van = CarFrame(van) }
    if let receiver = member(.receiver) {
      let model = SatelliteModel(receiver)
      satellites = model
      // What is expected of it, by those who look at `receiver` alone: a deviation beyond what it states means none.
      var usual = self.receiver ?? StreetReceiver()
      usual.sigma = max(model.parkedSigma, model.movingSigma)
      let isHonest =
        model.honesty >= 0.9 && model.outliers.perWeek == 0 && model.outages.perHour == 0 && model.start == .on
      usual.stated = model.least.map { isHonest ? max($0, 1.5152 * usual.sigma) : min($0, 0.9 * usual.sigma) }
      usual.outliersPerWeek = model.outliers.perWeek
      self.receiver = usual
    }
  }
}

extension FamilyMember {
  /// How the sensor is turned against the vehicle: as on a tube that leans back, and askew.
  var mountingRotation: Quaternion {
    let tube = SensorModel.seatTube(backwardTilt: self["tilt"] * Double.pi / 180)
    return (tube * Quaternion(rotationVector: axes("askew", times: Double.pi / 180))).normalized
  }
}

extension Instrument {
  private static var g: Double { BodyMotion.gravity }
  private static var degree: Double { Double.pi / 180 }

  /// A member of a family of sensors.
  package init(_ m: FamilyMember) {
    self.init()
    let degree = Instrument.degree
    let g = Instrument.g
    func cross(_ name: String) -> [Float] {
      let values = m.all(name)
      return values.count == 6 ? values.map { Float($0 / 100) } : [Float](repeating: 0, count: 6)
    }
    let steps = Elementary.pow(2, m["bits"] - 1)
    hasGyroscope = m["gyroRange"] > 0
    gyroscope.noiseDensity = m.axes("gyroNoise", times: degree)
    gyroscope.instability = m["gyroInstability"] * degree / 3600
    gyroscope.walk = m["gyroWalk"] * degree / 60
    gyroscope.bias = m.axes("gyroBias", times: degree)
    gyroscope.biasPerKelvin = m.axes("gyroBiasPerKelvin", times: degree)
    gyroscope.scale = m.axes("gyroScale", times: 0.01)
    gyroscope.scalePerKelvin = m["gyroScalePerKelvin"] / 100
    gyroscope.cross = cross("gyroCross")
    if hasGyroscope {
      gyroscope.range = Float(m["gyroRange"] * degree)
      gyroscope.resolution = Float(m["gyroRange"] * degree / steps)
    }
    func planar(_ name: String, times factor: Double) -> Vector3 {
      let v = m.all(name)
      guard v.count == 2 else { return Vector3.zero }
      return Vector3(Float(v[0] * factor), Float(v[1] * factor), Float(m[name + "Z"] * factor))
    }
    accelerometer.noiseDensity = planar("accNoise", times: g * 1e-6)
    accelerometer.instability = m["accInstability"] * g * 1e-6
    accelerometer.walk = m["accWalk"] * g * 1e-3 / 60
    accelerometer.bias = planar("accBias", times: g * 1e-3)
    accelerometer.biasPerKelvin = m.axes("accBiasPerKelvin", times: g * 1e-3)
    accelerometer.scale = m.axes("accScale", times: 0.01)
    accelerometer.scalePerKelvin = m["accScalePerKelvin"] / 100
    accelerometer.cross = cross("accCross")
    accelerometer.range = Float(m["accRange"] * g)
    accelerometer.resolution = Float(m["accRange"] * g / steps)
    bandwidth = m["bandwidth"]
    clockError = m["clockError"] / 100
    jitter = m["jitter"] / 1000
    drops = (m["drops"] / 1000, m["dropLength"])
    temperature = (m["ambient"], m["daySwing"], m["warmUp"], m["warmUpTime"])
  }

  /// The sensor of a scene that has no family.
  init(_ sensor: StreetSensor, seed: UInt64) {
    self.init()
    var random = SeededRandom(seed: seed, stream: 20)
    let model = sensor.model(random: &random)
    func triad(_ from: SensorModel.Triad) -> Triad {
      var result = Triad()
      result.bias = from.bias
      result.walk = Double(from.biasWalk)
      result.noiseDensity = from.noiseDensity
      result.resolution = from.resolution
      result.range = from.range
      return result
    }
    gyroscope = triad(model.gyroscope)
    accelerometer = triad(model.accelerometer)
    bandwidth = Double(model.noiseBandwidthHertz)
    bodyFromSensor = model.bodyFromSensor
  }
}

extension RoadSurface {
  /// A member of a family of roads.
  package init(_ m: FamilyMember) {
    self.init()
    roughness = m["roughness"] * 1e-6
    patches = m["patches"]
    patchLength = m["patchLength"]
    bumps = (m["bumpsPerMetre"], m["bumpHeight"] / 1000)
    alongShare = m["alongShare"]
    crossShare = m["crossShare"]
  }
}

extension StreetVehicle {
  /// A member of a family of vehicles, on a road.
  package init(_ m: FamilyMember, road: FamilyMember? = nil) {
    guard !m.family.isForCollar else {
      var pet = PetFrame()
      pet.mass = m["mass"]
      pet.breathing = (m["breathing"], m["breathLift"] / 1000)
      pet.neck = m["neck"]
      pet.grip = m["grip"]
      pet.shake = m["shake"]
      self = .collar(pet)
      return
    }
    var bike = StreetBike()
    bike.frame.mass = m["mass"]
    bike.frame.height = m["height"]
    bike.frame.wheelbase = m["wheelbase"]
    bike.frame.tyre = (m["tyreStiffness"] * 1000, m["tyreDamping"])
    bike.frame.stand = (m["standStiffness"] * 1000, m["standDamping"])
    bike.frame.friction = m["friction"]
    bike.frame.rolling = m["rolling"]
    bike.frame.side.area = m["sideArea"]
    bike.frame.isLocked = m["locked"] >= 0.5
    bike.arms = m["arms"]
    bike.rider = m["rider"]
    let lean = m["lean"] * Double.pi / 180
    switch m.family.name {
    case "bikeAtWall": bike.frame.support = .wall(lean: lean)
    case "bikeInRack": bike.frame.support = .rack(play: m["play"] / 1000)
    // The middle of mass has to be well within the triangle of wheels and foot.
    default: bike.frame.support = .sideStand(lean: lean, foot: max(m["foot"], 2.2 * m["height"] * Elementary.sin(lean)))
    }
    if let road { bike.road = RoadSurface(road) }
    self = .bike(bike)
  }
}

extension CarFrame {
  /// A member of a family of cars.
  package init(_ m: FamilyMember) {
    self.init()
    mass = m["mass"]
    let spring = m["spring"] * 1000
    corner = (
      spring, 2 * m["damping"] * (spring * mass / 4).squareRoot(), m["wheel"], m["tyre"] * 1000
    )
    road.roughness = m["roughness"] * 1e-6
    floor = m["floor"]
    floorTurn = m["floorTurn"]
    engine = (m["engine"], m["engineHertz"])
  }
}

extension SatelliteModel {
  /// A member of a family of receivers.
  package init(_ m: FamilyMember) {
    self.init()
    white = m["white"]
    wandering = (m["wandering"], m["wanderingTime"])
    echoes = (m["echoes"], m["echoesRenewed"])
    passing = (m["passing"], m["passingLength"])
    outages = (m["outagesPerHour"], m["outageSeconds"])
    start = Start.allCases[min(Int(m["start"] + 0.001), 3)]
    firstFix = (m["hotSeconds"], m["warmSeconds"], m["coldSeconds"])
    first = (m["firstCold"], m["firstAgain"], m["firstTime"])
    honesty = m["honesty"]
    least = m["least"]
    doppler = m["doppler"]
    outliers = (m["outliersPerWeek"], m["outlierMetres"])
  }
}

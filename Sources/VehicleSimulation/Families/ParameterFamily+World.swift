extension ParameterFamily {
  static var mountings: [ParameterFamily] {
    func place(
      _ name: String, _ about: String, tilt: ClosedRange<Double>, x: ClosedRange<Double>, y: ClosedRange<Double>,
      z: ClosedRange<Double>, askew: Double
    ) -> ParameterFamily {
      ParameterFamily(
        kind: .mounting, name: name, about: about,
        parameters: [
          FamilyParameter("tilt", "°", tilt, "our choice"),
          FamilyParameter("askew", "°", -askew...askew, "our choice", axes: 3),
          FamilyParameter("x", "m", x, "our choice"), FamilyParameter("y", "m", y, "our choice"),
          FamilyParameter("z", "m", z, "our choice"),
          FamilyParameter("strapHertz", "Hz", 32...50, "recording"),
          FamilyParameter("strapDamping", "", 0.1...0.2, "recording"),
          FamilyParameter("strapLever", "m", 0.05...0.08, "recording"),
        ])
    }
    return [
      place(
        "seatTube", "at the seat tube, along it", tilt: 15...18, x: -0.2 ... -0.1, y: -0.04...0.04, z: 0.4...0.7,
        askew: 3),
      place("bottleCage", "at the down tube", tilt: 35...50, x: 0...0.2, y: -0.03...0.03, z: 0.35...0.55, askew: 5),
      place(
        "handlebar", "below the handlebar", tilt: -15...25, x: 0.35...0.45, y: -0.1...0.1, z: 0.95...1.05, askew: 10),
      place(
        "saddle", "below the saddle", tilt: -20...20, x: -0.35 ... -0.2, y: -0.05...0.05, z: 0.85...0.95, askew: 15),
      place(
        "bag", "loose in a bag of the frame", tilt: -90...90, x: -0.1...0.2, y: -0.05...0.05, z: 0.5...0.8, askew: 90),
      place(
        "collar", "at a collar, below the neck", tilt: -20...20, x: 0...0.001, y: 0...0.001, z: -0.08 ... -0.05,
        askew: 20),
    ]
  }

  static var receivers: [ParameterFamily] {
    func receiver(
      _ name: String, _ about: String, white: ClosedRange<Double>, wandering: ClosedRange<Double>,
      echoes: ClosedRange<Double>, passing: ClosedRange<Double>, outages: ClosedRange<Double>,
      honesty: ClosedRange<Double>,
      outliers: ClosedRange<Double>, start: ClosedRange<Double> = 0...0.99
    ) -> ParameterFamily {
      ParameterFamily(
        kind: .receiver, name: name, about: about,
        parameters: [
          FamilyParameter("white", "m", white, "our choice"),
          FamilyParameter("wandering", "m", wandering, "our choice"),
          FamilyParameter("wanderingTime", "s", 600...3600, "our choice", log: true),
          FamilyParameter("echoes", "m", echoes, "our choice"),
          FamilyParameter("echoesRenewed", "", 0.2...0.7, "ragheb, our choice"),
          FamilyParameter("passing", "m", passing, "our choice"),
          FamilyParameter("passingLength", "m", 10...60, "our choice", log: true),
          FamilyParameter("outagesPerHour", "", outages, "our choice"),
          FamilyParameter("outageSeconds", "s", 10...120, "our choice", log: true),
          FamilyParameter("start", "0 on, 1 hot, 2 warm, 3 cold", start, "our choice"),
          FamilyParameter("hotSeconds", "s", 1...3, "sim7000-hd 5: 1"),
          FamilyParameter("warmSeconds", "s", 20...40, "sim7000-hd 5"),
          FamilyParameter("coldSeconds", "s", 30...90, "sim7000-hd 5: 35, our choice"),
          FamilyParameter("firstCold", "m", 15...150, "our choice", log: true),
          FamilyParameter("firstAgain", "m", 3...30, "our choice", log: true),
          FamilyParameter("firstTime", "s", 5...30, "our choice"),
          FamilyParameter("honesty", "", honesty, "our choice", log: true),
          FamilyParameter("least", "m", 1...3, "our choice"),
          FamilyParameter("doppler", "m/s", 0.05...0.2, "our choice"),
          FamilyParameter("outliersPerWeek", "", outliers, "our choice"),
          FamilyParameter("outlierMetres", "m", 50...300, "our choice", log: true),
        ])
    }
    return [
      receiver(
        "open", "an open sky", white: 0.2...0.6, wandering: 0.8...2, echoes: 0.3...1, passing: 0.3...1,
        outages: 0...0.1, honesty: 0.9...1.4, outliers: 0...0),
      receiver(
        "urban", "a street between houses", white: 0.4...1.5, wandering: 1...3, echoes: 3...10, passing: 3...10,
        outages: 0.5...6, honesty: 0.6...1.3, outliers: 0...10),
      receiver(
        "indoor", "a hall or a cellar with a window", white: 1...4, wandering: 2...5, echoes: 8...25, passing: 8...25,
        outages: 6...60, honesty: 0.5...1.2, outliers: 0...30),
      receiver(
        "boasting", "a street, and a receiver that states a third of its error", white: 0.4...1.5, wandering: 1...3,
        echoes: 3...10, passing: 3...10, outages: 0.5...6, honesty: 0.2...0.4, outliers: 0...10),
      receiver(
        "coldStart", "an open sky, switched on with nothing known", white: 0.2...0.6, wandering: 0.8...2,
        echoes: 0.3...1,
        passing: 0.3...1, outages: 0...0.5, honesty: 0.5...1.3, outliers: 0...0, start: 3...3),
    ]
  }

  static var roads: [ParameterFamily] {
    func road(
      _ name: String, _ about: String, _ roughness: ClosedRange<Double>, patches: ClosedRange<Double>,
      bumps: ClosedRange<Double>, height: ClosedRange<Double>, _ source: String
    ) -> ParameterFamily {
      ParameterFamily(
        kind: .road, name: name, about: about,
        parameters: [
          FamilyParameter("roughness", "10⁻⁶ m³", roughness, source, log: true),
          FamilyParameter("patches", "", patches, "recording"),
          FamilyParameter("patchLength", "m", 8...40, "our choice", log: true),
          FamilyParameter("bumpsPerMetre", "/m", bumps, "recording"),
          FamilyParameter("bumpHeight", "mm", height, "recording"),
          FamilyParameter("alongShare", "", 3...5, "recording"),
          FamilyParameter("crossShare", "", 3.5...6.5, "recording"),
        ])
    }
    return [
      road(
        "floor", "a floor of stone or concrete", 0.03...0.3, patches: 0.2...0.5, bumps: 0.05...0.15, height: 0.5...1.5,
        "recording"),
      road(
        "asphalt", "smooth asphalt, class A", 14...32, patches: 0.3...0.8, bumps: 0.02...0.05, height: 3...7,
        "iso8608, recording"),
      road(
        "pavement", "slabs and worn asphalt, class A to B", 32...72, patches: 0.9...1.3, bumps: 0.03...0.07,
        height: 9...14, "iso8608, recording"),
      road("cobbles", "cobbles, class C", 128...512, patches: 0.2...0.5, bumps: 0.02...0.1, height: 4...12, "iso8608"),
      road(
        "gravel", "a forest path, class B to C", 64...256, patches: 0.5...1.2, bumps: 0.05...0.2, height: 5...15,
        "iso8608"),
    ]
  }

  static var vehicles: [ParameterFamily] {
    func bike(_ name: String, _ about: String, mass: ClosedRange<Double>, _ support: [FamilyParameter])
      -> ParameterFamily
    {
      ParameterFamily(
        kind: .vehicle, name: name, about: about,
        parameters: [
          FamilyParameter("mass", "kg", mass, "our choice"),
          FamilyParameter("height", "m", 0.48...0.62, "our choice"),
          FamilyParameter("wheelbase", "m", 0.98...1.15, "our choice"),
          FamilyParameter("tyreStiffness", "kN/m", 70...180, "doria", log: true),
          FamilyParameter("tyreDamping", "", 0.03...0.1, "recording", log: true),
          FamilyParameter("standStiffness", "kN/m", 12...60, "our choice", log: true),
          FamilyParameter("standDamping", "", 0.05...0.25, "our choice", log: true),
          FamilyParameter("friction", "", 0.5...0.9, "our choice"),
          FamilyParameter("rolling", "", 0.003...0.012, "wilson"),
          FamilyParameter("sideArea", "m²", 0.22...0.55, "our choice"),
          FamilyParameter("locked", "0 no, 1 yes", 0...1, "our choice"),
          FamilyParameter("arms", "N/m", 800...4000, "mussa-ivaldi", log: true),
          FamilyParameter("rider", "kg", 45...110, "our choice"),
        ] + support)
    }
    let stand = [
      FamilyParameter("lean", "°", 7...13, "our choice"), FamilyParameter("foot", "m", 0.22...0.32, "our choice"),
    ]
    return [
      bike("bikeOnSideStand", "a bicycle on its side stand", mass: 11...19, stand),
      bike("eBikeOnSideStand", "an e-bike on its side stand", mass: 21...29, stand),
      bike(
        "bikeAtWall", "a bicycle that leans against a wall", mass: 9...19,
        [FamilyParameter("lean", "°", 6...16, "our choice")]),
      bike(
        "bikeInRack", "a bicycle with its front wheel between bars", mass: 9...22,
        [FamilyParameter("play", "mm", 2...25, "our choice")]),
      ParameterFamily(
        kind: .vehicle, name: "collarDog", about: "a dog",
        parameters: [
          FamilyParameter("mass", "kg", 4...45, "our choice", log: true),
          FamilyParameter("breathing", "Hz", 0.25...0.55, "our choice"),
          FamilyParameter("breathLift", "mm", 1...5, "our choice"),
          FamilyParameter("neck", "m", 0.05...0.1, "our choice"),
          FamilyParameter("grip", "", 0.3...1.2, "our choice"),
          FamilyParameter("shake", "rad", 0.7...1.5, "dickerson"),
        ]),
    ]
  }

  static var vans: [ParameterFamily] {
    func car(
      _ name: String, _ about: String, mass: ClosedRange<Double>, spring: ClosedRange<Double>,
      floor: ClosedRange<Double>,
      engine: ClosedRange<Double>
    ) -> ParameterFamily {
      ParameterFamily(
        kind: .van, name: name, about: about,
        parameters: [
          FamilyParameter("mass", "kg", mass, "gillespie"),
          FamilyParameter("spring", "kN/m", spring, "gillespie", log: true),
          FamilyParameter("damping", "", 0.2...0.4, "gillespie"),
          FamilyParameter("wheel", "kg", 35...55, "gillespie"),
          FamilyParameter("tyre", "kN/m", 180...250, "gillespie"),
          FamilyParameter("roughness", "10⁻⁶ m³", 4...32, "iso8608, recording", log: true),
          FamilyParameter("floor", "m/s²", floor, "recording", log: true),
          FamilyParameter("floorTurn", "rad/s", 0.01...0.06, "recording", log: true),
          FamilyParameter("engine", "m/s²", engine, "recording", log: true),
          FamilyParameter("engineHertz", "Hz", 22...60, "our choice"),
        ])
    }
    return [
      car("car", "a car", mass: 1100...1700, spring: 18...30, floor: 0.4...1.4, engine: 0.1...0.6),
      car("van", "a van", mass: 1700...2600, spring: 35...60, floor: 0.5...2, engine: 0.1...0.8),
    ]
  }
}

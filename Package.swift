// swift-tools-version: 6.2
import PackageDescription

/// Settings of the core tier, which must also compile in Embedded Swift (see `Firmware/gate.sh`).
let core: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]
let host: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]

/// A core without Foundation or Glibc does not pull in libm by itself, and `squareRoot()` needs it in debug builds.
let math: [LinkerSetting] = [.linkedLibrary("m")]

func coreTarget(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: core, linkerSettings: math)
}
func hostTarget(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: host)
}
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: host)
}

let package = Package(
  name: "Leash",
  products: [
    .library(name: "NMEA", targets: ["NMEA"]),
  ],
  targets: [
    // Core tier: imports only down this list.
    coreTarget("Quantities", []),
    coreTarget("InlineStorage", ["Quantities"]),
    coreTarget("ASCIIText", ["InlineStorage", "Quantities"]),
    coreTarget("NMEA", ["ASCIIText", "InlineStorage", "Quantities"]),
    // Host tier.
    hostTarget("VehicleSimulation", ["Quantities"]),
    tests("QuantitiesTests", ["Quantities"]),
    tests("InlineStorageTests", ["InlineStorage"]),
    tests("ASCIITextTests", ["ASCIIText", "InlineStorage"]),
    tests("VehicleSimulationTests", ["VehicleSimulation", "Quantities"]),
    tests("NMEATests", ["NMEA", "ASCIIText", "InlineStorage", "Quantities"]),
  ]
)

// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the users of the libraries do not build it. The name keeps the dependency independent of
// what the clone's folder is called.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "LeashBenchmarks",
  dependencies: [.package(name: "Leash", path: "..")],
  targets: [
    .target(name: "CNMEAPeer", cSettings: [.unsafeFlags(["-O3"])]),
    .target(name: "BenchmarkHarness", swiftSettings: settings),
    .executableTarget(
      name: "bench",
      dependencies: [
        "BenchmarkHarness", "CNMEAPeer", .product(name: "NMEA", package: "Leash"),
        .product(name: "Leash", package: "Leash"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "replay-bench",
      dependencies: [
        "BenchmarkHarness", .product(name: "Leash", package: "Leash"),
        .product(name: "TrackerRuntime", package: "Leash"), .product(name: "Recording", package: "Leash"),
        .product(name: "VehicleSimulation", package: "Leash"),
      ],
      swiftSettings: settings),
    .target(
      name: "CPacketPeer", cSettings: [.unsafeFlags(["-O3"])], cxxSettings: [.unsafeFlags(["-O3"])],
      linkerSettings: [.linkedLibrary("sodium"), .linkedLibrary("stdc++")]),
    .executableTarget(
      name: "form-bench", dependencies: ["BenchmarkHarness", "CPacketPeer", .product(name: "Leash", package: "Leash")],
      swiftSettings: settings),
    .systemLibrary(name: "CGEOS", providers: [.apt(["libgeos-dev"])]),
    .executableTarget(
      name: "region-bench",
      dependencies: ["BenchmarkHarness", "CGEOS", .product(name: "Leash", package: "Leash")],
      swiftSettings: settings),
    .executableTarget(
      name: "board-bench",
      dependencies: [
        "BenchmarkHarness", .product(name: "LinuxDevices", package: "Leash"),
        .product(name: "Leash", package: "Leash"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "fusion-bench",
      dependencies: [
        "BenchmarkHarness", .product(name: "InertialFusion", package: "Leash"),
        .product(name: "FusionEvaluation", package: "Leash"), .product(name: "VehicleSimulation", package: "Leash"),
        .product(name: "OfflineFusion", package: "Leash"),
      ],
      swiftSettings: settings),
  ]
)

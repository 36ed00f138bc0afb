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

nonisolated(unsafe) var coreNames: Set<String> = []

func coreTarget(_ name: String, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = []) -> Target {
  coreNames.insert(name)
  return .target(name: name, dependencies: dependencies, swiftSettings: core + more, linkerSettings: math)
}
func hostTarget(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], files: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: files.map { .embedInCode($0) },
    swiftSettings: host)
}
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: host)
}

/// What a browser gets of `Sources/StatusPage/Page`: in the program itself, so that one binary is all there is to install.
let pageFiles = [
  "page.html", "page.css", "page.js", "icon.svg", "canvas.js", "curves.js", "devices.js", "dom.js", "happenings.js",
  "draft.js", "known.js", "map.js", "numbers.js", "projection.js", "status.js", "words.js", "asking.js", "rules.js",
  "sha256.js", "signature.js", "alarmform.js", "alarmtext.js", "drawing.js", "fields.js", "hits.js", "openings.js",
  "rides.js", "ruletext.js", "shapeform.js", "vocabulary.js", "world.css", "world.html", "world.js", "worldlist.js",
  "worldmap.js", "worldtime.js", "worldwords.js",
]

let package = Package(
  name: "Leash",
  products: [
    .library(
      name: "Leash",
      targets: [
        "TrackerCore", "Requests", "MotionDetection", "Rules", "Positioning", "PacketForms", "OwnTracks", "Traccar",
        "SecretBox",
        "HomeAssistant", "Telemetry", "Delivery", "ASCIIText", "InlineStorage", "Quantities",
      ]),
    .library(name: "FlashStorage", targets: ["FlashStorage"]),
    .library(name: "InertialFusion", targets: ["InertialFusion", "Quantities"]),
    .library(name: "OfflineFusion", targets: ["OfflineFusion"]),
    .library(name: "NMEA", targets: ["NMEA"]),
    .library(name: "SensorFrames", targets: ["SensorFrames"]),
    .library(name: "SIM7000", targets: ["SIM7000", "ATCommands", "CellularDelivery"]),
    .library(name: "TrackerRuntime", targets: ["TrackerRuntime"]),
    .library(name: "PacketDecoding", targets: ["PacketDecoding"]),
    .library(name: "Recording", targets: ["Recording", "TrackerLog"]),
    .library(name: "VehicleSimulation", targets: ["VehicleSimulation"]),
    .library(name: "ModemSimulation", targets: ["ModemSimulation"]),
    .library(name: "FusionEvaluation", targets: ["FusionEvaluation"]),
    .library(name: "LinuxDevices", targets: ["LinuxDevices"]),
    .executable(name: "leash", targets: ["leash"]),
  ],
  targets: [
    // Core tier: imports only from above in this list.
    coreTarget("Quantities", []),
    // Storage in place (decision 0009) has a layout, and no Swift type.
    coreTarget("InlineStorage", [], [.enableExperimentalFeature("RawLayout")]),
    coreTarget("ASCIIText", ["InlineStorage", "Quantities"]),
    coreTarget("Requests", ["ASCIIText", "InlineStorage"]),
    coreTarget("NMEA", ["ASCIIText", "InlineStorage", "Quantities"]),
    // Vectors in lanes (decision 0038) are instructions of the compiler, which it does not name without this.
    coreTarget("InertialFusion", ["InlineStorage", "Quantities"], [.enableExperimentalFeature("BuiltinModule")]),
    coreTarget("Positioning", ["InlineStorage", "Quantities"]),
    coreTarget("SensorFrames", ["InlineStorage", "Quantities"]),
    coreTarget("Rules", ["Positioning", "InlineStorage", "Quantities"]),
    coreTarget("MotionDetection", ["InertialFusion", "Positioning", "InlineStorage", "Quantities"]),
    coreTarget("Telemetry", ["ASCIIText", "InlineStorage", "Quantities"]),
    coreTarget("SecretBox", ["ASCIIText", "InlineStorage"]),
    coreTarget("OwnTracks", ["SecretBox", "Telemetry", "ASCIIText", "InlineStorage", "Quantities"]),
    coreTarget("Traccar", ["Telemetry", "ASCIIText", "InlineStorage", "Quantities"]),
    coreTarget("PacketForms", ["OwnTracks", "Traccar", "Telemetry", "ASCIIText", "InlineStorage", "Quantities"]),
    coreTarget("HomeAssistant", ["ASCIIText", "InlineStorage", "Quantities"]),
    coreTarget("ATCommands", ["ASCIIText", "InlineStorage", "Quantities"]),
    coreTarget("SIM7000", ["ATCommands", "ASCIIText", "InlineStorage", "Quantities"]),
    coreTarget("Delivery", ["Telemetry", "InlineStorage", "Quantities"]),
    coreTarget("CellularDelivery", ["Delivery", "SIM7000", "Telemetry", "Quantities"]),
    coreTarget(
      "TrackerCore",
      [
        "MotionDetection", "InertialFusion", "Rules", "Positioning", "NMEA", "Telemetry", "Requests", "ASCIIText",
        "InlineStorage", "Quantities",
      ]),

    // Beside the tracker: told of its rides and its requests, and left out by whoever has no need of it.
    coreTarget("Gear", ["TrackerCore", "Rules", "Requests", "Telemetry", "ASCIIText", "InlineStorage", "Quantities"]),

    // Beside it, too: what a pet does, day by day.
    coreTarget("Activity", ["Rules", "Telemetry", "ASCIIText", "InlineStorage", "Quantities"]),

    // Above the tracker: what goes into it and comes out, as a log has it.
    coreTarget(
      "TrackerLog", ["TrackerCore", "InertialFusion", "Telemetry", "ASCIIText", "InlineStorage", "Quantities"]),

    coreTarget("FlashStorage", ["TrackerCore", "Telemetry", "ASCIIText", "InlineStorage"]),

    // Beside it: the board itself, how it restarts and what it says of that.
    coreTarget("BoardHealth", ["ASCIIText", "InlineStorage"]),

    // And below both: which image runs, and how another comes.
    coreTarget("FirmwareUpdate", ["FlashStorage", "ASCIIText", "InlineStorage"]),

    // Host tier.
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    hostTarget(
      "TrackerRuntime",
      [
        "Activity", "Gear", "TrackerCore", "PacketForms", "OwnTracks", "SecretBox", "Delivery", "InertialFusion",
        "Telemetry", "Requests",
        "InlineStorage", "JSON5",
        "ASCIIText", "Quantities",
      ]),
    hostTarget(
      "Recording",
      [
        "TrackerRuntime", "TrackerLog", "TrackerCore", "PacketForms", "OwnTracks", "Telemetry", "ASCIIText",
        "Quantities",
        "CZlib",
      ]),
    hostTarget(
      "PacketDecoding",
      ["PacketForms", "OwnTracks", "SecretBox", "TrackerCore", "Telemetry", "Requests", "ASCIIText", "Quantities"]),
    hostTarget("VehicleSimulation", ["Quantities"]),
    .systemLibrary(name: "CSerialPort", pkgConfig: "libserialport", providers: [.apt(["libserialport-dev"])]),
    .target(name: "CLinuxShim"),
    .systemLibrary(name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
    .systemLibrary(name: "CGPIOD", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    hostTarget(
      "LinuxDevices", ["SensorFrames", "Quantities", "CGPS", "CSerialPort", "CGPIOD", "CSystemd", "CLinuxShim"]),
    hostTarget("ModemSimulation", ["Quantities"]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    hostTarget("ModemBridge", ["ModemSimulation", "LinuxDevices", "Quantities", "CCurl", "CMosquitto"]),
    hostTarget("JSON5", []),
    hostTarget(
      "Uplinks",
      [
        "TrackerRuntime", "CellularDelivery", "Delivery", "SIM7000", "LinuxDevices", "JSON5", "HomeAssistant",
        "Telemetry", "Requests", "ASCIIText", "InlineStorage", "Quantities", "CCurl", "CMosquitto",
      ]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    hostTarget(
      "StatusPage", ["LinuxDevices", "Quantities", "CMicroHTTPD"],
      exclude: ["Page/.eslintrc.json", "Page/package.json", "Page/tsconfig.json", "Page/types.d.ts"],
      files: pageFiles.map { "Page/\($0)" }),
    hostTarget(
      "LinuxRuntime",
      [
        "Activity", "Gear", "Uplinks", "StatusPage", "JSON5", "TrackerRuntime", "Recording", "TrackerCore", "SIM7000",
        "LinuxDevices",
        "MotionDetection", "Rules", "Positioning", "NMEA", "PacketDecoding", "PacketForms", "OwnTracks", "SecretBox",
        "HomeAssistant",
        "Telemetry", "Requests", "ASCIIText",
        "InlineStorage",
        "Quantities", "CSQLite", "CSystemd", "CLinuxShim",
      ]),
    .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    hostTarget("FaultInjection", ["Quantities"]),
    hostTarget("FieldDialogue", ["Quantities"]),
    hostTarget("OfflineFusion", ["InertialFusion", "Quantities"]),
    hostTarget("FusionEvaluation", ["TrackerRuntime", "Recording", "VehicleSimulation", "Quantities"]),
    hostTarget(
      "MotionEvaluation",
      [
        "TrackerRuntime", "Recording", "VehicleSimulation", "JSON5", "TrackerCore", "Positioning", "Telemetry",
        "Quantities",
      ]),
    hostTarget(
      "SimulatedWorld",
      [
        "Telemetry", "CellularDelivery", "SIM7000", "TrackerRuntime", "ModemSimulation", "FieldDialogue",
        "FaultInjection", "MotionEvaluation", "VehicleSimulation", "FlashStorage", "JSON5", "TrackerCore", "Requests",
        "InlineStorage", "Quantities",
      ]),
    hostTarget(
      "LeashTool",
      [
        "BoardHealth", "FirmwareUpdate", "TrackerLog", "InlineStorage", "Gear", "LinuxRuntime", "Uplinks", "StatusPage",
        "JSON5",
        "TrackerRuntime", "Recording", "SimulatedWorld", "FieldDialogue", "SIM7000", "CellularDelivery", "Delivery",
        "FusionEvaluation", "MotionEvaluation",
        "OfflineFusion", "VehicleSimulation", "ModemBridge", "ModemSimulation", "LinuxDevices", "TrackerCore",
        "MotionDetection", "Rules", "InertialFusion", "NMEA", "PacketDecoding", "PacketForms", "SecretBox",
        "OwnTracks", "HomeAssistant", "Telemetry", "Requests", "Positioning", "ASCIIText", "Quantities", "CQREncode",
      ]),
    .executableTarget(name: "leash", dependencies: ["LeashTool"], swiftSettings: host),

    // Tests.
    tests("QuantitiesTests", ["Quantities"]),
    tests("InlineStorageTests", ["InlineStorage"]),
    tests(
      "FlashStorageTests",
      ["FlashStorage", "FlashSupport", "TrackerCore", "Telemetry", "TestSupport", "InlineStorage", "Quantities"]),
    .target(
      name: "FlashSupport", dependencies: ["FlashStorage", "InlineStorage", "TestSupport"], path: "Tests/FlashSupport",
      swiftSettings: host),
    tests("ASCIITextTests", ["ASCIIText", "InlineStorage", "Quantities"]),
    .target(
      name: "OtherPrograms", dependencies: ["LinuxDevices", "Quantities"], path: "Tests/Support/OtherPrograms",
      swiftSettings: host),
    .target(name: "StorageCalls", path: "Tests/Support/StorageCalls"),
    .target(
      name: "StorageSupport", dependencies: ["StorageCalls"], path: "Tests/StorageSupport", swiftSettings: host),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "TrackerRuntime", "Recording", "TrackerLog", "SkippedTests", "TrackerCore", "InertialFusion", "NMEA",
        "PacketForms", "OwnTracks", "SecretBox", "Telemetry", "InlineStorage", "Quantities", "CZlib", "StorageSupport",
        "OtherPrograms",
      ],
      exclude: ["log_reader.py"], swiftSettings: host),
    .testTarget(
      name: "RepositoryTests", dependencies: ["OtherPrograms"], exclude: ["reached_test.py"], swiftSettings: host),
    .target(name: "AllocationCounter", path: "Tests/Support/AllocationCounter"),
    .target(name: "SkippedTests", path: "Tests/Support/SkippedTests", swiftSettings: host),
    tests(
      "AllocationTests",
      [
        "AllocationCounter", "NMEA", "SIM7000", "PacketForms", "OwnTracks", "SecretBox", "HomeAssistant", "Telemetry",
        "ASCIIText", "InlineStorage", "Quantities",
      ]),
    .testTarget(
      name: "LeashToolTests",
      dependencies: [
        "LeashTool", "leash", "JSON5", "LinuxRuntime", "Uplinks", "LinuxDevices", "ServerSupport", "SkippedTests",
        "OtherPrograms", "BoardHealth", "FirmwareUpdate", "FlashStorage", "FlashSupport", "TestSupport", "CSodium",
        "SensorFrames", "InlineStorage", "ModemSimulation", "StatusPage",
        "FusionEvaluation",
        "TrackerRuntime", "Recording", "InertialFusion",
        "MotionDetection",
        "SimulatedWorld", "SIM7000", "Telemetry", "TrackerCore", "Quantities",
        "CZlib",
      ],
      exclude: ["Snapshots"], swiftSettings: host),
    .testTarget(
      name: "PositioningTests", dependencies: ["Positioning", "Quantities"], exclude: ["Judges"], swiftSettings: host),
    .testTarget(
      name: "RulesTests",
      dependencies: [
        "Rules", "MotionDetection", "VehicleSimulation", "SkippedTests", "OtherPrograms", "Positioning",
        "InlineStorage",
        "Quantities",
      ],
      exclude: ["time_zone_judge.py"], swiftSettings: host),
    tests("VehicleSimulationTests", ["VehicleSimulation", "SkippedTests", "OtherPrograms", "Quantities"]),
    tests("ModemSimulationTests", ["ModemSimulation", "Quantities"]),
    tests("FaultInjectionTests", ["FaultInjection", "Quantities"]),
    tests(
      "OfflineFusionTests",
      ["OfflineFusion", "FusionEvaluation", "InertialFusion", "VehicleSimulation", "TestSupport", "Quantities"]),
    tests(
      "MotionEvaluationTests",
      ["MotionEvaluation", "VehicleSimulation", "TrackerRuntime", "JSON5", "Quantities"]),
    tests("FusionEvaluationTests", ["FusionEvaluation", "TrackerRuntime", "Recording", "TestSupport"]),
    tests(
      "LinuxDevicesTests",
      [
        "LinuxDevices", "SensorFrames", "SkippedTests", "NMEA", "ServerSupport", "OtherPrograms", "Quantities",
        "CSystemd",
      ]),
    tests("JSON5Tests", ["JSON5"]),
    tests("BoardHealthTests", ["BoardHealth", "ASCIIText", "InlineStorage"]),
    tests(
      "FirmwareUpdateTests",
      ["FirmwareUpdate", "FlashSupport", "FlashStorage", "TestSupport", "ASCIIText", "InlineStorage", "CSodium"]),
    .testTarget(
      name: "RequestsTests", dependencies: ["Requests", "SkippedTests", "OtherPrograms", "InlineStorage"],
      exclude: ["hmac_judge.py"],
      swiftSettings: host),
    tests(
      "UplinksTests",
      [
        "Uplinks", "TrackerRuntime", "Delivery", "TrackerCore", "ServerSupport", "ModemBridge", "LinuxDevices",
        "OtherPrograms", "SIM7000", "Telemetry", "Quantities", "CCurl", "CMosquitto",
      ]),
    .target(
      name: "ServerSupport",
      dependencies: [
        "SkippedTests", "OtherPrograms", "ModemBridge", "ModemSimulation", "LinuxDevices", "Quantities",
      ],
      path: "Tests/ServerSupport", swiftSettings: host),
    .testTarget(
      name: "StatusPageTests",
      dependencies: [
        "StatusPage", "SkippedTests", "ServerSupport", "LinuxRuntime", "LinuxDevices", "Uplinks", "TrackerCore",
        "OtherPrograms", "Telemetry", "Requests", "Rules", "TestSupport", "Quantities",
      ],
      exclude: ["Page"], swiftSettings: host),
    tests(
      "LinuxRuntimeTests",
      [
        "Activity", "LinuxRuntime", "Uplinks", "StatusPage", "JSON5", "TrackerRuntime", "Recording", "TrackerCore",
        "SIM7000", "LinuxDevices", "ModemSimulation", "CLinuxShim", "StorageSupport", "Rules", "Positioning",
        "HomeAssistant",
        "Telemetry", "Requests",
        "ASCIIText", "InlineStorage", "Quantities", "CCurl", "CMosquitto",
      ]),
    .testTarget(
      name: "BoardTests",
      dependencies: [
        "leash", "CLinuxShim", "LinuxRuntime", "ServerSupport", "SkippedTests", "TestSupport", "LinuxDevices",
        "OtherPrograms", "TrackerRuntime", "Recording", "Requests", "InlineStorage", "Telemetry", "TrackerCore",
        "Quantities",
      ],
      swiftSettings: host),
    tests(
      "ModemBridgeTests",
      [
        "FieldDialogue", "LeashTool", "SkippedTests", "OtherPrograms", "ModemBridge", "ModemSimulation", "LinuxDevices",
        "Quantities", "SIM7000",
      ]),
    tests("NMEATests", ["NMEA", "SkippedTests", "OtherPrograms", "ASCIIText", "InlineStorage", "Quantities"]),
    .target(
      name: "TestSupport",
      dependencies: [
        "TrackerRuntime", "Recording", "SkippedTests", "TrackerCore", "MotionDetection", "NMEA", "Positioning",
        "Telemetry", "Quantities",
      ],
      path: "Tests/TestSupport", swiftSettings: host),
    tests(
      "InertialFusionTests",
      ["InertialFusion", "VehicleSimulation", "FusionEvaluation", "Recording", "TestSupport", "Quantities"]),
    tests("MotionDetectionTests", ["MotionDetection", "InertialFusion", "Positioning", "TestSupport", "Quantities"]),
    tests("ATCommandsTests", ["ATCommands", "ASCIIText", "InlineStorage", "Quantities"]),
    tests("SIM7000Tests", ["SIM7000", "ATCommands", "ASCIIText", "InlineStorage", "Quantities"]),
    tests(
      "SimulatedWorldTests",
      [
        "SimulatedWorld", "MotionEvaluation", "VehicleSimulation", "TrackerCore", "TrackerRuntime", "SIM7000",
        "ModemSimulation", "FaultInjection",
        "FieldDialogue", "ASCIIText", "InlineStorage", "Quantities",
      ]),
    tests(
      "HomeAssistantTests",
      ["HomeAssistant", "PacketDecoding", "Telemetry", "ASCIIText", "InlineStorage", "Quantities"]),
    tests("DeliveryTests", ["Delivery", "Telemetry", "TestSupport", "Quantities"]),
    .systemLibrary(
      name: "CSodium", path: "Tests/Support/CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    tests(
      "PacketFormsTests",
      [
        "PacketDecoding", "PacketForms", "OwnTracks", "Traccar", "SecretBox", "Telemetry", "ASCIIText", "InlineStorage",
        "Quantities",
        "CSodium",
      ]),
    tests("TelemetryTests", ["PacketForms", "Telemetry", "ASCIIText", "InlineStorage", "TestSupport", "Quantities"]),
    tests(
      "ActivityTests",
      ["Activity", "TrackerRuntime", "Recording", "TrackerCore", "Telemetry", "TestSupport", "Quantities"]),
    tests(
      "GearTests", ["Gear", "TestSupport", "TrackerRuntime", "Recording", "TrackerCore", "Telemetry", "Quantities"]),
    tests(
      "TrackerCoreTests",
      [
        "TrackerCore", "MotionDetection", "InertialFusion", "PacketForms", "Rules", "Telemetry", "Requests", "NMEA",
        "InlineStorage", "AllocationCounter", "Positioning",
        "TrackerRuntime", "Recording", "TestSupport", "Quantities",
      ]),
  ]
)

// LEASH_TESTS="NMEATests TelemetryTests" builds only these tests and what they need, for quick answers while working.
if let names = Context.environment["LEASH_TESTS"] {
  var wanted: Set<String> = []
  var waiting = names.split(separator: " ").map(String.init)
  while let name = waiting.popLast() {
    guard wanted.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for case .byNameItem(let dependency, _) in target.dependencies { waiting.append(dependency) }
  }
  package.targets.removeAll { !wanted.contains($0.name) }
  package.products.removeAll()
}

// LEASH_OPTIMIZED=1 optimises the modules that tests run for hours of virtual time; checks and what @testable sees stay. Not by
// default, because a package with such flags can't be a dependency.
if Context.environment["LEASH_OPTIMIZED"] == "1" {
  let busy: Set = [
    "FusionEvaluation", "ModemSimulation", "MotionEvaluation", "OfflineFusion", "Recording", "SimulatedWorld",
    "TrackerRuntime", "VehicleSimulation",
  ]
  for target in package.targets where coreNames.contains(target.name) || busy.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
  }
}

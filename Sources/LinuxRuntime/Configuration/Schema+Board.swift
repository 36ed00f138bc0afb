import Quantities
import TrackerRuntime
import StatusPage
import TrackerCore
import Uplinks

/// The keys of the file itself, of the recorder, the page and the tracker.
extension ConfigurationSchema {
  static let board = BoundSection(
    "", "The tracker's name and its files.", fresh: BoardConfiguration(),
    [
      .choice(
        "profile", \.profile, "Set of defaults: what the tracker is attached to.",
        BoardProfile.allCases.map { ($0.rawValue, $0) }),
      settingKey(Setting.all.first { $0.name == "trackerId" }, example: "\"bike42\""),
      settingKey(Setting.all.first { $0.name == "packetFormat" }, example: "\"json\""),
      settingKey(Setting.all.first { $0.name == "alertsEnabled" }, example: "true"),
      BoundKey(
        "seed", .seed,
        "Seed of all random numbers, for a run that is to be repeated. Random if not set.",
        example: "42",
        get: { $0.hasFixedSeed ? .number("\($0.tracker.seed)") : nil },
        set: { root, value in
          guard case .number(let digits) = value, let seed = UInt64(digits) else { return nil }
          root.tracker.seed = seed
          root.hasFixedSeed = true
          return nil
        }),
      .seconds(
        "fallbackAfter", \.fallbackAfter,
        "How long a packet may wait on an uplink before it is also sent on the next one; for alerts a quarter of it.",
        1...3600,
        example: 20),
      .path(
        "state", \.stateFile, "File that keeps outbox, odometer and phase over restarts.",
        example: "/var/lib/leash/state.db"),
      .whole(
        "spoolPackets", \.spoolCapacity,
        "Maximum reports in the state file when the outbox is full; if there are more, positions are thinned out.",
        100...100_000, example: 20_000),
      .path(
        "control", \.controlSocket, "Local socket for 'leash status' and 'leash tell'.", example: "/run/leash/control",
        // A socket's path and its end must fit sockaddr_un.
        expectation: { $0.utf8.count <= 107 ? nil : "a path of at most 107 bytes, the limit for a socket" }),
    ].compactMap { $0 })

  static let recording = BoundSection(
    "record", "Recordings of 'leash run'; nothing is recorded without this section.",
    fresh: RecordingSettings(folder: ""),
    [
      .path(
        "folder", \.folder, "Folder of the recordings; created if missing.", example: "/var/lib/leash/rides",
        isRequired: true),
      megabytes(
        "segmentMegabytes", \.segmentBytes, "Size at which a new file begins.", 1...1024, example: 16),
      megabytes(
        "totalMegabytes", \.totalBytes, "Maximum size of all files; the oldest are deleted first.", 2...1_048_576,
        example: 512),
    ])

  /// The local page while it is read.
  struct PageDraft: Sendable {
    var address = PageAddress(port: 8600)
    var token: Secret?
  }

  static let page = BoundSection(
    "page", "The local page; there is none without this section.", fresh: PageDraft(),
    [
      .text(
        "host", \.address.host,
        "Name or address to listen on; any but loopback shows the page to the whole network.",
        bytes: 1...253, example: "127.0.0.1", expectation: WebAddress.hostExpectation),
      .port("port", \.address.port, "Port.", example: 8600),
      .secret(
        "token", \.token,
        "Token needed to send requests from the page, 16 characters or more; without it the page is read-only.",
        example: "correct horse battery staple"),
    ])

  static let tracker = BoundSection(
    "", "The tracker's settings, as in 'leash settings'.", fresh: BoardConfiguration(),
    // Who wants what follows from the uplinks; a board has a spool.
    Setting.all.filter { $0.name.contains(".") && $0.name != "outbox.receivers" && $0.name != "outbox.spool" }
      .compactMap {
        settingKey($0, example: nil)
      })

  private static func megabytes(
    _ name: String, _ path: WritableKeyPath<RecordingSettings, Int> & Sendable, _ help: String,
    _ range: ClosedRange<Int64>, example: Int64
  ) -> BoundKey<RecordingSettings> {
    BoundKey(
      name, .whole(range), unit: "MiB", help, example: "\(example)",
      get: { .number("\($0[keyPath: path] >> 20)") },
      set: { root, value in
        if case .number(let digits) = value, let count = Int(digits) { root[keyPath: path] = count << 20 }
        return nil
      })
  }

  /// A setting of the tracker as a key.
  private static func settingKey(_ setting: Setting?, example: String?) -> BoundKey<BoardConfiguration>? {
    guard let setting else { return nil }
    let type: ConfigurationType =
      switch setting.form {
      case .number(let range): .number(range)
      case .whole(let range): .whole(Int64(range.lowerBound)...Int64(range.upperBound))
      case .boolean: .boolean
      case .choice(let words): .choice(words)
      case .vector: .vector
      case .words(let words): .words(words)
      case .numbers(let range): .numbers(range, atMost: NumberList.capacity)
      case .text: .text(setting.name == "trackerId" ? 1...32 : 1...128)
      }
    let value = { @Sendable (configuration: BoardConfiguration) -> ConfigurationValue in
      let text = setting.text(configuration.tracker.tracker)
      return switch setting.form {
      case .number, .whole: .number(Double(text).map(plain) ?? text)
      case .boolean: .boolean(text == "true")
      case .choice, .text: .text(text)
      case .words: .words(text == "none" ? [] : text.split(separator: "+").map(String.init))
      case .numbers: .numbers(text == "none" ? [] : text.split(separator: "+").map(String.init))
      case .vector: .numbers(text.split(separator: " ").map { word in Double(word).map(plain) ?? String(word) })
      }
    }
    return BoundKey(
      setting.name, type, unit: setting.unit, setting.helpWithoutUnit,
      example: example ?? value(BoardConfiguration()).text,
      earlierName: setting.earlierName,
      get: value,
      set: { root, value in
        let text: String =
          switch value {
          case .text(let text): text
          case .number(let digits): digits
          case .boolean(let value): value ? "true" : "false"
          case .numbers(let digits):
            digits.isEmpty ? "none" : digits.joined(separator: setting.form == .vector ? " " : "+")
          case .words(let words): words.isEmpty ? "none" : words.joined(separator: "+")
          case .secret, .secrets, .rules, .given: ""
          }
        if setting.name == "trackerId", let expectation = DeviceID.expectation(text) { return expectation }
        do throws(RunConfiguration.Refusal) {
          try root.tracker.set(setting.name, to: text)
          return nil
        } catch {
          return setting.expectation
        }
      })
  }
}

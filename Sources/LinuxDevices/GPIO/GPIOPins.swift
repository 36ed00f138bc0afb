import CGPIOD
import Glibc
import Quantities

/// A line of a GPIO chip, asked for.
private final class GPIORequest {
  let name: String
  private let chip: OpaquePointer
  private let line: OpaquePointer

  /// What to ask the kernel for.
  enum Purpose {
    case input(hasPullUp: Bool)
    case output(first: Int32, isOpenDrain: Bool)
    case falls
  }

  init(chip text: String, line offset: UInt32, _ purpose: Purpose) throws(DeviceFailure) {
    let path = GPIOPins.path(ofChip: text)
    name = "\(path) line \(offset)"
    guard let chip = gpiod_chip_open(path) ?? gpiod_chip_open_by_label(text) else {
      throw GPIOPins.failure(toOpen: path, errorNumber: GPIOPins.openError(path))
    }
    self.chip = chip
    let count = gpiod_chip_num_lines(chip)
    guard offset < count, let line = gpiod_chip_get_line(chip, offset) else {
      gpiod_chip_close(chip)
      throw DeviceFailure(.open, path, .explained("has no line \(offset); its lines are 0 to \(max(1, count) - 1)"))
    }
    self.line = line
    let user = gpiod_line_is_used(line) ? gpiod_line_consumer(line).map { String(cString: $0) } : nil
    let code =
      switch purpose {
      case .input(let hasPullUp):
        gpiod_line_request_input_flags(line, "leash", hasPullUp ? Int32(GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP) : 0)
      case .output(let first, let isOpenDrain):
        gpiod_line_request_output_flags(
          line, "leash", isOpenDrain ? Int32(GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN) : 0, first)
      case .falls:
        gpiod_line_request_falling_edge_events_flags(line, "leash", Int32(GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP))
      }
    guard code == 0 else {
      // `deinit` closes the chip: the value is whole by now.
      let number = errno
      throw GPIOPins.failure(toRequest: name, user: user, errorNumber: number)
    }
  }

  // Closing the chip gives back its lines.
  deinit { gpiod_chip_close(chip) }

  func set(_ value: Int32) throws(DeviceFailure) {
    guard gpiod_line_set_value(line, value) == 0 else { throw DeviceFailure(.pin, name, errorNumber: errno, .other) }
  }

  var descriptor: Int32 { gpiod_line_event_get_fd(line) }

  /// - Source: [libgpiod] gpiod_line_event_read_multiple: those that there are, and at least one.
  func events() throws(DeviceFailure) -> [Instant] {
    var events = [gpiod_line_event](repeating: gpiod_line_event(), count: 16)
    let count = gpiod_line_event_read_multiple(line, &events, UInt32(events.count))
    guard count >= 0 else { throw DeviceFailure(.pin, name, errorNumber: errno, .other) }
    return events.prefix(Int(count)).map {
      Instant(microseconds: Int64($0.ts.tv_sec) * 1_000_000 + Int64($0.ts.tv_nsec) / 1000)
    }
  }

  func value() throws(DeviceFailure) -> Int32 {
    let value = gpiod_line_get_value(line)
    guard value >= 0 else { throw DeviceFailure(.pin, name, errorNumber: errno, .other) }
    return value
  }
}

/// The lines of this machine's GPIO chips, by libgpiod.
///
/// - Source: [libgpiod]
package enum GPIOPins {
  /// Takes a line as output.
  ///
  /// - Parameters:
  ///   - chip: `gpiochip0`, its path, or its label such as `pinctrl-bcm2711`.
  ///   - line: Number of the line on the chip.
  ///   - isInverted: True when an inverting transistor lies between the line and the pin.
  ///   - isOpenDrain: True when the line is only to pull down, for a pin that has its own pull-up, as PWRKEY and RESET do.
  ///   - level: At the pin, from the beginning: there is no glitch.
  /// - Throws: One failure that says what is wrong: no such chip or line, the line's other user, no permission.
  package static func output(
    chip: String, line: UInt32, isInverted: Bool = false, isOpenDrain: Bool = false, initially level: PinLevel
  ) throws(DeviceFailure) -> any DigitalOutput {
    let first = level.lineValue(isInverted: isInverted)
    return GPIOPin(
      try GPIORequest(chip: chip, line: line, .output(first: first, isOpenDrain: isOpenDrain)), isInverted: isInverted)
  }

  /// Takes a line as input.
  ///
  /// - Parameters:
  ///   - chip: As for `output`.
  ///   - line: Number of the line on the chip.
  ///   - isInverted: As for `output`.
  ///   - hasPullUp: True when the chip is to pull the line up, for a switch to ground.
  /// - Throws: As `output` does.
  package static func input(
    chip: String, line: UInt32, isInverted: Bool = false, hasPullUp: Bool = false
  ) throws(DeviceFailure) -> any DigitalInput {
    GPIOPin(try GPIORequest(chip: chip, line: line, .input(hasPullUp: hasPullUp)), isInverted: isInverted)
  }

  /// Takes a line as input whose falls are noted, pulled up for a switch to ground.
  ///
  /// - Parameters:
  ///   - chip: As for `output`.
  ///   - line: Number of the line on the chip.
  /// - Throws: As `output` does.
  package static func edges(chip: String, line: UInt32) throws(DeviceFailure) -> any EdgeInput {
    GPIOEdges(try GPIORequest(chip: chip, line: line, .falls))
  }

  /// The chips of this machine, as paths.
  package static var chips: [String] {
    fileNames(in: "/dev").filter { $0.hasPrefix("gpiochip") }.sorted().map { "/dev/" + $0 }
  }

  /// The node of a chip that the user names with or without its folder.
  static func path(ofChip text: String) -> String { text.hasPrefix("/") ? text : "/dev/" + text }

  /// Why a chip can't be opened: the library's own number is that of its last attempt, by label.
  fileprivate static func openError(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    // It opens, and is something else.
    return ENOTTY
  }

  /// The failure to open a chip, in the user's words.
  static func failure(toOpen path: String, errorNumber: Int32, chips: [String] = GPIOPins.chips) -> DeviceFailure {
    switch errorNumber {
    case ENOENT, ENXIO, ENODEV:
      let others = chips.isEmpty ? "this machine has none" : "there are: \(chips.joined(separator: ", "))"
      return DeviceFailure(.open, path, errorNumber: errorNumber, .explained("no such GPIO chip; \(others)"))
    case ENOTTY, EINVAL, EISDIR:
      return DeviceFailure(
        .open, path, errorNumber: errorNumber, .explained("no GPIO chip; expected one such as /dev/gpiochip0"))
    default: return DeviceFailure(.open, path, errorNumber: errorNumber)
    }
  }

  /// The failure to get a line, in the user's words.
  static func failure(toRequest name: String, user: String?, errorNumber: Int32) -> DeviceFailure {
    guard errorNumber == EBUSY else { return DeviceFailure(.open, name, errorNumber: errorNumber, .other) }
    let holder = user.map { $0.isEmpty ? "another program" : "'\($0)'" } ?? "another program"
    return DeviceFailure(
      .open, name, errorNumber: errorNumber,
      .explained("busy: used by \(holder); stop it, or remove its overlay, or choose another line"))
  }
}

/// A line as output or input.
private final class GPIOPin: DigitalOutput, DigitalInput {
  let name: String
  private var request: GPIORequest?
  private let isInverted: Bool

  init(_ request: GPIORequest, isInverted: Bool) {
    name = request.name
    self.request = request
    self.isInverted = isInverted
  }

  private func held() throws(DeviceFailure) -> GPIORequest {
    guard let request else { throw DeviceFailure(.pin, name, .explained("was released")) }
    return request
  }

  func set(_ level: PinLevel) throws(DeviceFailure) { try held().set(level.lineValue(isInverted: isInverted)) }

  func level() throws(DeviceFailure) -> PinLevel { PinLevel(lineValue: try held().value(), isInverted: isInverted) }

  func release() { request = nil }
}

/// A line whose falls are noted.
private final class GPIOEdges: EdgeInput {
  let descriptor: Int32
  private let name: String
  private var request: GPIORequest?

  init(_ request: GPIORequest) {
    descriptor = request.descriptor
    name = request.name
    self.request = request
  }

  func takeFalls() throws(DeviceFailure) -> [Instant] {
    guard let request else { throw DeviceFailure(.pin, name, .explained("was released")) }
    return try request.events()
  }

  func release() { request = nil }
}

import Quantities

/// The level of a pin of another part, such as a modem's PWRKEY: at that pin, whatever lies between.
package enum PinLevel: Sendable {
  /// At ground.
  case low
  /// At the supply, or let go where a pull-up is.
  case high

  /// The level at the pin for the value of a line that leads to it, by way of an inverting transistor or not.
  init(lineValue: Int32, isInverted: Bool) { self = (lineValue != 0) != isInverted ? .high : .low }

  /// The value of the line that makes this level at the pin.
  func lineValue(isInverted: Bool) -> Int32 { (self == .high) != isInverted ? 1 : 0 }
}

/// A pin that this machine drives.
package protocol DigitalOutput: AnyObject {
  /// Where, for people: `/dev/gpiochip0 line 4`.
  var name: String { get }

  /// Drives the pin. It keeps the level until the next call, `release`, or the end of the process.
  func set(_ level: PinLevel) throws(DeviceFailure)

  /// Lets the line go; nothing else may be called after it. Its level then is up to the chip's driver: most keep it.
  func release()
}

/// A pin whose falls the kernel notes.
package protocol EdgeInput: AnyObject {
  /// Ready for reading when there is something to take.
  var descriptor: Int32 { get }

  /// When the pin has fallen since the last call, on a clock that nobody sets; called when the descriptor is ready.
  func takeFalls() throws(DeviceFailure) -> [Instant]

  /// Lets the line go; nothing else may be called after it.
  func release()
}

/// A pin that this machine reads.
package protocol DigitalInput: AnyObject {
  /// Where, for people: `/dev/gpiochip0 line 5`.
  var name: String { get }

  /// The level just now.
  func level() throws(DeviceFailure) -> PinLevel

  /// Lets the line go; nothing else may be called after it.
  func release()
}

import Quantities

/// Steps of switching on.
enum BootStep: Equatable, Sendable {
  /// STATUS goes high and the UART works.
  case uart
  /// `RDY`.
  case ready
  /// `+CFUN: 1`.
  case function
  /// The SIM has been read.
  case sim
  /// `SMS Ready`.
  case messages
}

/// Supply, pins and what the module does with them.
struct PowerState: Equatable, Sendable {
  /// What the module is doing.
  enum Phase: Equatable, Sendable {
    /// Switched off, or without power.
    case off
    /// Switched on; the UART does not work yet.
    case starting
    /// Working.
    case running
    /// Told to switch off; STATUS is still high.
    case stopping
    /// In power saving mode.
    case saving
  }

  /// What the module is doing.
  var phase: Phase = .off
  /// Voltage of the supply.
  var supplyMillivolts = 3_800
  /// When the module was switched off.
  var offSince: Instant?
  /// The power key is pressed.
  var keyIsLow = false
  /// The reset pin is pulled.
  var resetIsLow = false
  /// DTR is high.
  var dtrIsHigh = true
  /// When DTR went low while the module slept, plus the time it needs to wake up.
  var awakeAt: Instant = .zero
  /// When the line was used last.
  var lastActivity: Instant = .zero
  /// Nothing works any more until power key, reset or loss of power (fault F11).
  var isFrozen = false
  /// The supply broke down while the module was on.
  var wasBrownedOut = false
  /// The module comes back from power saving mode and will say so.
  var announcesExit = false
  /// The module stays registered through the restart.
  var keepsRegistration = false
  /// RI.
  var ringIsLow = false
  /// How often the module has started.
  var bootCount = 0

  /// True from `RDY` to switching off.
  var isRunning: Bool { phase == .running }
  /// True while bytes go in and out.
  var uartIsOn: Bool { phase == .running }
  /// STATUS.
  var statusIsHigh: Bool { phase == .running || phase == .stopping }
}

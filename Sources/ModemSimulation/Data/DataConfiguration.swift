public import Quantities

/// How `CARECV` prints what it read.
public enum ReceiveFormat: Equatable, Sendable {
  /// `+CARECV: <cid>,<length>` and the bytes on the next line.
  case manual
  /// `+CARECV: <length>,<bytes>`.
  case lengthFirst
}

/// What happens when an HTTP server does not answer in time.
public enum RequestTimeoutAnswer: Equatable, Sendable {
  /// `+SHSTATE: 0` and no `+SHREQ`.
  case sessionLost
  /// `+SHREQ` with this number in place of a status.
  case status(Int)
}

/// A position made from the cell, as `CLBS` reports it.
public struct CellLocation: Equatable, Sendable {
  /// Longitude in degrees, as text.
  public var longitude = "11.973960"
  /// Latitude in degrees, as text.
  public var latitude = "57.715185"
  /// Accuracy, m.
  public var accuracy = 550

  /// A place in Gothenburg.
  public init() {}
}

/// How the data commands behave where the sources disagree or say nothing.
public struct DataConfiguration: Equatable, Sendable {
  /// True when there are `SH*` and `SM*` commands and `CACID` works. False in `b03`.
  public var hasSessionCommands = true
  /// True when there is the `HTTPINIT` stack. The newest manual leaves it out, modules have it; default true.
  public var hasLegacyHTTP = true
  /// True for `+CNACT: 0,1,"ip"` in place of `+CNACT: 1,"ip"`. True in `g10`.
  public var printsContextInCNACT = false
  /// How `CARECV` prints. `lengthFirst` in `g10`.
  public var receiveFormat = ReceiveFormat.manual
  /// True when `CAOPEN` takes `"TCP"` or `"UDP"`. False in `g10`.
  public var acceptsSocketType = true
  /// Most that `SHCONF="BODYLEN"` takes. An older note says 350; default 1024.
  public var maximumBodyLength = 1024
  /// Longest URL of `SHREQ`. An older note says 64; default 512.
  public var maximumRequestURL = 512
  /// True when bringing up what is up is an error [U]. Fault F5 makes it so in any case. Default true.
  public var refusesRepeatedActivation = true
  /// True when bringing down what is down is an error [U]. Fault F5 makes it so in any case. Default false.
  public var refusesRepeatedDeactivation = false
  /// True when a session the server closed must be closed by `SHDISC` before `SHCONN` works again. A log shows both;
  /// default false.
  public var keepsDroppedSessionHalfOpen = false
  /// True when `SHDISC` without a connection is an error [U]. Default false, as in a log.
  public var refusesNeedlessDisconnect = false
  /// What happens when a server does not answer within `SHCONF="TIMEOUT"` [U]. Default `+SHSTATE: 0`.
  public var requestTimeoutAnswer = RequestTimeoutAnswer.sessionLost
  /// From a connect that fails for no reason to its `ERROR` [U]. Default 2 s.
  public var connectFailureDelay = Interval.seconds(2)
  /// Longest wait for `SHCONN`, `SMCONN` and `CAOPEN` [U]. Default 75 s.
  public var connectTimeout = Interval.seconds(75)
  /// From the payload of a publication to `+SMSTATE: 0` when the connection drops (fault F8). A log shows about 6 s.
  public var publicationDropDelay = Interval.seconds(6)
  /// How long a publication waits for the broker before the connection counts as broken [U]. Default 60 s.
  public var publicationTimeout = Interval.seconds(60)
  /// Time `CIPSHUT` and the closing of bearers take [U]. Default 200 ms.
  public var closingDelay = Interval.milliseconds(200)
  /// Silence after which bytes of transparent mode are sent [U]. Default 200 ms.
  public var transparentGap = Interval.milliseconds(200)
  /// What `CLBS` reports.
  public var cellLocation = CellLocation()
  /// Room of the file system, bytes. The default is a manual's example.
  public var fileSpace = 22_151_168

  /// The usual behaviour of a profile.
  public init(profile: ModemProfile = .b05) {
    switch profile {
    case .b03: hasSessionCommands = false
    case .b05: break
    case .g10:
      printsContextInCNACT = true
      receiveFormat = .lengthFirst
      acceptsSocketType = false
    }
  }
}

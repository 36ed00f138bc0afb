import Quantities

/// State of the data commands that a reset clears.
struct DataState: Equatable, Sendable {
  /// `CNACT`.
  var app = AppBearer()
  /// `CSTT`, `CIICR`, `CIP*`.
  var toolkit = ToolkitSocketTable()
  /// `SAPBR`.
  var profile = ProfileBearer()
  /// `SH*`.
  var http = SHSession()
  /// `HTTPINIT`.
  var legacy = LegacyHTTP()
  /// `SM*`.
  var mqtt = MQTTState()
  /// `CA*`.
  var application = ApplicationSockets()
  /// `CNTP`, `CLBS`, `SNPING4`, `HTTPTOFS`.
  var services = ServiceState()
  /// True between `CFSINIT` and `CFSTERM`.
  var filesAreOpen = false
  /// Options of `CSSLCFG` by context.
  var tls: [Int: TLSContext] = [:]
  /// What the numbers given to the network stand for.
  var operations: [Int: DataOperation] = [:]
  /// Settings that are only remembered, by command.
  var remembered: [String: String] = [:]

  /// Nothing open, nothing set.
  init() {}
}

/// What of the data commands survives a reset: files and converted certificates.
struct DataFlash: Equatable, Sendable {
  /// Files by folder and name (`3/ca.pem`).
  var files: [String: [UInt8]] = [:]
  /// Names of converted certificates.
  var certificates: Set<String> = []

  /// Nothing stored.
  init() {}
}

/// What a number given to the network stands for.
enum DataOperation: Equatable, Sendable {
  /// A socket of the toolkit, by its place.
  case toolkitSocket(Int)
  /// An application socket, by its `cid`.
  case applicationSocket(Int)
  /// The session of `SH*`.
  case http
  /// The request of `HTTPACTION`.
  case legacyHTTP
  /// The session of `SM*`.
  case mqtt
  /// `CDNSGIP` for this name.
  case lookUp(String)
  /// `SNPING4`.
  case ping
  /// `CNTP`.
  case time
  /// `HTTPTOFS`.
  case download
}

/// Timed events of the data commands; set with `schedule(.data(…), after:)`.
enum DataEvent: Equatable, Sendable {
  /// `CNACT=1` comes to its end.
  case appActivates
  /// `CNACT=0` comes to its end.
  case appDeactivates
  /// `CNACT=2` tries again after a loss.
  case appRetries
  /// `CIICR` comes to its end.
  case toolkitActivates
  /// `CIPSHUT` comes to its end.
  case toolkitShut
  /// A socket of the toolkit was not opened in time.
  case toolkitConnectTimeout(Int)
  /// A connect of the toolkit fails for no reason.
  case toolkitConnectFails(Int)
  /// Nobody acknowledged what `CIPSEND` sent.
  case toolkitSendTimeout(Int)
  /// Bytes of transparent mode are sent.
  case transparentGap
  /// `SAPBR=1` comes to its end.
  case profileOpens
  /// `SAPBR=0` comes to its end.
  case profileCloses
  /// `SHCONN` fails.
  case httpConnectFails
  /// No answer to `SHREQ`.
  case httpTimeout
  /// Fault F6.
  case httpDrops
  /// `HTTPACTION` fails with this pseudo status.
  case legacyFails(Int)
  /// `SMCONN` fails.
  case mqttConnectFails
  /// The broker does not answer, or fault F8.
  case mqttDrops
  /// `CAOPEN` fails with this result.
  case applicationConnectFails(Int, Int)
  /// The outcome of `CASEND`: socket, result, bytes.
  case applicationSent(Int, Int, Int)
  /// `CNTP` ends with this code.
  case timeFails(Int)
  /// `CLBS` ends.
  case located
  /// The next `SNPING4` line.
  case pinged
  /// `SNPING4` fails.
  case pingFails
  /// `HTTPTOFS` fails with this status.
  case downloadFails(Int)
  /// A name was not resolved in time.
  case lookUpTimeout(Int)
}

/// Payloads of the data commands; comes back in `finishDataPayload`.
enum DataPayload: Equatable, Sendable {
  /// `CIPSEND` for a socket.
  case toolkitSend(Int)
  /// `CASEND` for a socket.
  case applicationSend(Int)
  /// `SMPUB`.
  case publication(topic: String, qos: Int, isRetained: Bool)
  /// `SHBODEXT`.
  case httpBody
  /// `HTTPDATA`.
  case legacyData
  /// `CFSWFILE`: folder and name, true to append.
  case file(String, appends: Bool)
}

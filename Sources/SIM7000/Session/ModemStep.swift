/// One exchange with the modem. The driver is always in one of these, in a phase of its power, or idle.
///
/// `FixedCommand` has a text for each, in this order.
@frozen public enum ModemStep: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  // After each start.
  case echoSet, sleepQuery, sleepClear, powerSavingQuery, errorCodes, startMark, rateQuery, fixRate, identity,
    supplyNotices, registrationNotices, packetNotices,
    evolvedNotices, networkTime
  // Once per start, where configured.
  case radioQuery, radioSet, narrowQuery, narrowSet, bandsQuery, catMBandsSet, narrowBandsSet, accessPointQuery,
    accessPoint, accessPointCopy, powerSavingClear,
    powerSavingNotices,
    powerSavingSet, sleepSet, listeningSet, broadcastsOff
  // When it may have started without being asked.
  case startCheck
  // The SIM card and the network.
  case simQuery, simEnter, registrationQuery, packetQuery, circuitQuery, attachQuery, operatorQuery, operatorSet,
    signalQuery, batteryQuery, clockQuery
  // Bearers.
  case bearerQuery, bearerAccess, bearerOpen, socketsShut, socketsMultiple, socketsManual, socketsAccess, socketsUp,
    socketsAddress,
    profileType, profileAccess, profileUser, profilePassword, profileQuery, profileOpen
  // HTTP.
  case httpServer, httpBodyLength, httpHeaderLength, httpTLSVersion, httpTLSName, httpTLS, httpConnect,
    httpState, httpClearHeaders, httpHeader,
    httpBody, httpInlineBody, httpRequest, httpRead
  // The legacy HTTP.
  case legacyStart, legacyBearer, legacyServer, legacyContent, legacyBody, legacyRequest, legacyRead
  // MQTT.
  case mqttQuery, mqttPlain, mqttServer, mqttClient, mqttKeepAlive, mqttCleanSession, mqttUser, mqttPassword,
    mqttTLSVersion,
    mqttTLSName, mqttTLS, mqttWill, mqttConnect, mqttSubscribe, mqttListen, mqttPublish
  // TCP.
  case tcpPlain, socketPlain, tcpOpen, tcpSend, tcpRead, socketSelect, socketOpen, socketState, socketSend, socketCount,
    socketRead
  // Messages.
  case charactersQuery, charactersSet, messageFormat, messageDigits, messageNotices, messageSend, messageList,
    messageRead, messageDelete
  // Satellites.
  case gnssAntenna, gnssOn, gnssOff, gnssNotices, gnssSentences, gnssQuery
  // Recovery and rest.
  case httpClose, legacyStop, mqttClose, tcpClose, socketClose, bearerClose, profileClose, detach, attach, radioOff,
    radioOn,
    restart, switchOff

  /// True when its good end says something about the packet at hand.
  var carriesPacket: Bool {
    switch self {
    case .httpBody, .httpInlineBody, .httpRequest, .legacyBody, .legacyRequest, .mqttPublish, .tcpSend, .socketSend,
      .messageSend:
      return true
    default: return false
    }
  }

  /// True when it ends something on purpose.
  var isRemedy: Bool { rawValue >= ModemStep.httpClose.rawValue }

  /// True for a setting of a session that needs no network.
  var isSetAhead: Bool {
    switch self {
    case .httpServer, .httpBodyLength, .httpHeaderLength, .httpTLSVersion, .httpTLSName, .httpTLS, .mqttServer,
      .mqttClient,
      .mqttKeepAlive, .mqttCleanSession, .mqttUser, .mqttPassword, .mqttTLSVersion, .mqttTLSName, .mqttTLS,
      .socketsMultiple, .socketsManual, .socketsAccess:
      return true
    default: return false
    }
  }

  /// True when a session can be had without it, though the modem says nothing to it.
  var onlyInforms: Bool {
    switch self {
    case .httpBodyLength, .httpHeaderLength, .httpClearHeaders, .httpHeader, .legacyContent, .mqttQuery, .mqttKeepAlive,
      .mqttCleanSession, .mqttWill, .mqttListen:
      return true
    default: return false
    }
  }

  /// Whose server it connects to, during which the modem takes no other command.
  var connectsTo: ModemTransport? {
    switch self {
    case .httpConnect: return .http
    case .mqttConnect: return .mqtt
    case .tcpOpen: return .tcp
    case .socketOpen: return .applicationTCP
    default: return nil
    }
  }

  /// True when its good end, however late, says that the packet at hand is where it should be.
  var settlesPacket: Bool {
    switch self {
    case .httpRequest, .legacyRequest, .mqttPublish, .messageSend: return true
    default: return false
    }
  }

  /// The name used in logs.
  public var name: StaticString {
    switch self {
    case .echoSet: return "echoSet"
    case .sleepQuery: return "sleepQuery"
    case .sleepClear: return "sleepClear"
    case .powerSavingQuery: return "powerSavingQuery"
    case .errorCodes: return "errorCodes"
    case .startMark: return "startMark"
    case .startCheck: return "startCheck"
    case .accessPointQuery: return "accessPointQuery"
    case .bearerAccess: return "bearerAccess"
    case .profileUser: return "profileUser"
    case .profilePassword: return "profilePassword"
    case .httpInlineBody: return "httpInlineBody"
    case .socketState: return "socketState"
    case .messageDigits: return "messageDigits"
    case .messageList: return "messageList"
    case .rateQuery: return "rateQuery"
    case .fixRate: return "fixRate"
    case .identity: return "identity"
    case .supplyNotices: return "supplyNotices"
    case .registrationNotices: return "registrationNotices"
    case .packetNotices: return "packetNotices"
    case .evolvedNotices: return "evolvedNotices"
    case .networkTime: return "networkTime"
    case .radioQuery: return "radioQuery"
    case .radioSet: return "radioSet"
    case .narrowQuery: return "narrowQuery"
    case .narrowSet: return "narrowSet"
    case .bandsQuery: return "bandsQuery"
    case .catMBandsSet: return "catMBandsSet"
    case .narrowBandsSet: return "narrowBandsSet"
    case .accessPoint: return "accessPoint"
    case .accessPointCopy: return "accessPointCopy"
    case .powerSavingClear: return "powerSavingClear"
    case .powerSavingNotices: return "powerSavingNotices"
    case .powerSavingSet: return "powerSavingSet"
    case .sleepSet: return "sleepSet"
    case .listeningSet: return "listeningSet"
    case .broadcastsOff: return "broadcastsOff"
    case .simQuery: return "simQuery"
    case .simEnter: return "simEnter"
    case .registrationQuery: return "registrationQuery"
    case .packetQuery: return "packetQuery"
    case .circuitQuery: return "circuitQuery"
    case .attachQuery: return "attachQuery"
    case .operatorQuery: return "operatorQuery"
    case .operatorSet: return "operatorSet"
    case .signalQuery: return "signalQuery"
    case .batteryQuery: return "batteryQuery"
    case .clockQuery: return "clockQuery"
    case .bearerQuery: return "bearerQuery"
    case .bearerOpen: return "bearerOpen"
    case .socketsShut: return "socketsShut"
    case .socketsMultiple: return "socketsMultiple"
    case .socketsManual: return "socketsManual"
    case .socketsAccess: return "socketsAccess"
    case .socketsUp: return "socketsUp"
    case .socketsAddress: return "socketsAddress"
    case .profileType: return "profileType"
    case .profileAccess: return "profileAccess"
    case .profileQuery: return "profileQuery"
    case .profileOpen: return "profileOpen"
    case .httpServer: return "httpServer"
    case .httpBodyLength: return "httpBodyLength"
    case .httpHeaderLength: return "httpHeaderLength"
    case .httpTLSVersion: return "httpTLSVersion"
    case .httpTLSName: return "httpTLSName"
    case .httpTLS: return "httpTLS"
    case .httpConnect: return "httpConnect"
    case .httpState: return "httpState"
    case .httpClearHeaders: return "httpClearHeaders"
    case .httpHeader: return "httpHeader"
    case .httpBody: return "httpBody"
    case .httpRequest: return "httpRequest"
    case .httpRead: return "httpRead"
    case .legacyStart: return "legacyStart"
    case .legacyBearer: return "legacyBearer"
    case .legacyServer: return "legacyServer"
    case .legacyContent: return "legacyContent"
    case .legacyBody: return "legacyBody"
    case .legacyRequest: return "legacyRequest"
    case .legacyRead: return "legacyRead"
    case .mqttQuery: return "mqttQuery"
    case .mqttPlain: return "mqttPlain"
    case .mqttServer: return "mqttServer"
    case .mqttClient: return "mqttClient"
    case .mqttKeepAlive: return "mqttKeepAlive"
    case .mqttCleanSession: return "mqttCleanSession"
    case .mqttUser: return "mqttUser"
    case .mqttPassword: return "mqttPassword"
    case .mqttTLSVersion: return "mqttTLSVersion"
    case .mqttTLSName: return "mqttTLSName"
    case .mqttTLS: return "mqttTLS"
    case .mqttWill: return "mqttWill"
    case .mqttConnect: return "mqttConnect"
    case .mqttSubscribe: return "mqttSubscribe"
    case .mqttListen: return "mqttListen"
    case .mqttPublish: return "mqttPublish"
    case .tcpPlain: return "tcpPlain"
    case .socketPlain: return "socketPlain"
    case .tcpOpen: return "tcpOpen"
    case .tcpSend: return "tcpSend"
    case .tcpRead: return "tcpRead"
    case .socketSelect: return "socketSelect"
    case .socketOpen: return "socketOpen"
    case .socketSend: return "socketSend"
    case .socketCount: return "socketCount"
    case .socketRead: return "socketRead"
    case .charactersQuery: return "charactersQuery"
    case .charactersSet: return "charactersSet"
    case .messageFormat: return "messageFormat"
    case .messageNotices: return "messageNotices"
    case .messageSend: return "messageSend"
    case .messageRead: return "messageRead"
    case .messageDelete: return "messageDelete"
    case .gnssAntenna: return "gnssAntenna"
    case .gnssOn: return "gnssOn"
    case .gnssOff: return "gnssOff"
    case .gnssNotices: return "gnssNotices"
    case .gnssSentences: return "gnssSentences"
    case .gnssQuery: return "gnssQuery"
    case .httpClose: return "httpClose"
    case .legacyStop: return "legacyStop"
    case .mqttClose: return "mqttClose"
    case .tcpClose: return "tcpClose"
    case .socketClose: return "socketClose"
    case .bearerClose: return "bearerClose"
    case .profileClose: return "profileClose"
    case .detach: return "detach"
    case .attach: return "attach"
    case .radioOff: return "radioOff"
    case .radioOn: return "radioOn"
    case .restart: return "restart"
    case .switchOff: return "switchOff"
    }
  }
}

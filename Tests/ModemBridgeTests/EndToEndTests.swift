import Foundation
import LinuxDevices
import ModemBridge
import ModemSimulation
import Quantities
import Testing

/// A client of a modem that has the application network.
private func connectedClient(_ modem: ServedModem) throws -> TypingClient {
  let client = try TypingClient(modem.path)
  try client.type("ATE0\r", until: "OK\r\n")
  try client.type("AT+CNACT=1,\"iot.example\"\r", until: "+APP PDP: ACTIVE\r\n")
  return client
}

@Test func whatIsPostedThroughThePortReachesARealHTTPServer() throws {
  let server = try LoopbackServer.http()
  let modem = try ServedModem()
  let client = try connectedClient(modem)
  try client.type("AT+SHCONF=\"URL\",\"http://127.0.0.1:\(server.port)\"\r", until: "OK\r\n")
  try client.type("AT+SHCONF=\"BODYLEN\",1024\r", until: "OK\r\n")
  try client.type("AT+SHCONF=\"HEADERLEN\",350\r", until: "OK\r\n")
  try client.type("AT+SHCONN\r", until: "OK\r\n")
  try client.type("AT+SHCHEAD\r", until: "OK\r\n")
  try client.type("AT+SHAHEAD=\"Content-Type\",\"application/json\"\r", until: "OK\r\n")
  try client.type("AT+SHBODEXT=17,10000\r", until: ">")
  try client.type("{\"lat\":1,\"lon\":2}", until: "OK\r\n")
  try client.type("AT+SHREQ=\"/api/pos\",3\r", until: "+SHREQ: \"POST\",200,11\r\n")
  let request = try #require(server.next())
  #expect(request.hasPrefix("POST /api/pos HTTP/1.1\r\n"), "\(request)")
  #expect(request.contains("\r\nContent-Type: application/json\r\n"), "\(request)")
  #expect(request.hasSuffix("\r\n\r\n{\"lat\":1,\"lon\":2}"), "\(request)")
  try client.type("AT+SHREAD=0,11\r", until: "+SHREAD: 11\r\n{\"ok\":true}")
  try client.type("AT+SHDISC\r", until: "OK\r\n")
}

@Test func aServerThatIsNotThereIsAnErrorOfTheModem() throws {
  let port = try freePort()
  let modem = try ServedModem()
  let client = try connectedClient(modem)
  try client.type("AT+SHCONF=\"URL\",\"http://127.0.0.1:\(port)\"\r", until: "OK\r\n")
  try client.type("AT+SHCONF=\"BODYLEN\",1024\r", until: "OK\r\n")
  try client.type("AT+SHCONF=\"HEADERLEN\",350\r", until: "OK\r\n")
  try client.type("AT+SHCONN\r", until: "ERROR\r\n")
  try client.type("AT+SMCONF=\"URL\",\"127.0.0.1\",\"\(port)\"\r", until: "OK\r\n")
  try client.type("AT+SMCONN\r", until: "ERROR\r\n")
}

@Test func whatIsPublishedThroughThePortReachesARealBroker() throws {
  guard let broker = try Broker() else { return }
  let watcher = try NetworkBridge()
  watcher.take(.mqttConnect(id: 1, MQTTConnectRequest(host: "127.0.0.1", port: broker.port, clientID: "watcher")))
  #expect(nextReply(watcher) == .mqttConnected(id: 1))
  watcher.take(.mqttSubscribe(id: 1, message: 1, topic: "trk/+/pos", qos: 1))
  #expect(nextReply(watcher) == .mqttAcknowledged(id: 1, message: 1))
  let modem = try ServedModem()
  let client = try connectedClient(modem)
  try client.type("AT+SMCONF=\"URL\",\"127.0.0.1\",\"\(broker.port)\"\r", until: "OK\r\n")
  try client.type("AT+SMCONF=\"CLIENTID\",\"trk-01\"\r", until: "OK\r\n")
  try client.type("AT+SMCONF=\"KEEPTIME\",60\r", until: "OK\r\n")
  try client.type("AT+SMCONN\r", until: "OK\r\n")
  try client.type("AT+SMSUB=\"trk/01/cmd\",1\r", until: "OK\r\n")
  try client.type("AT+SMPUB=\"trk/01/pos\",5,1,0\r", until: ">")
  try client.type("hello", until: "OK\r\n")
  #expect(nextReply(watcher) == .mqttMessage(id: 1, topic: "trk/01/pos", payload: Array("hello".utf8)))
  watcher.take(
    .mqttPublish(id: 1, message: 2, topic: "trk/01/cmd", payload: Array("ping".utf8), qos: 1, isRetained: false))
  try client.type("", until: "+SMSUB: \"trk/01/cmd\",\"ping\"\r\n")
  broker.stop()
  try client.type("", until: "+SMSTATE: 0\r\n")
}

@Test func bytesGoThroughASocketOfTheModemAndComeBack() throws {
  let server = try LoopbackServer.echo()
  let modem = try ServedModem()
  let client = try TypingClient(modem.path)
  try client.type("ATE0\r", until: "OK\r\n")
  try client.type("AT+CIPMUX=1;+CIPQSEND=1;+CIPRXGET=1\r", until: "OK\r\n")
  try client.type("AT+CSTT=\"iot.example\",\"\",\"\"\r", until: "OK\r\n")
  try client.type("AT+CIICR\r", until: "OK\r\n", within: .seconds(20))
  try client.type("AT+CIFSR\r", until: ".128\r\n")
  try client.type("AT+CIPSTART=0,\"TCP\",\"127.0.0.1\",\(server.port)\r", until: "0, CONNECT OK\r\n")
  try client.type("AT+CIPSEND=0,4\r", until: "> ")
  try client.type("ping", until: "+CIPRXGET: 1,0\r\n")
  try client.type("AT+CIPRXGET=2,0,100\r", until: "+CIPRXGET: 2,0,4,0\r\nping\r\nOK\r\n")
  try client.type("AT+CIPCLOSE=0\r", until: "0, CLOSE OK\r\n")
}

@Test func aNameIsLookedUpByThisMachine() throws {
  let modem = try ServedModem()
  let client = try TypingClient(modem.path)
  try client.type("ATE0\r", until: "OK\r\n")
  try client.type("AT+CSTT=\"iot.example\",\"\",\"\"\r", until: "OK\r\n")
  try client.type("AT+CIICR\r", until: "OK\r\n", within: .seconds(20))
  try client.type("AT+CIFSR\r", until: ".128\r\n")
  try client.type("AT+CDNSGIP=\"localhost\"\r", until: "+CDNSGIP: 1,\"localhost\",\"127.0.0.1\"")
}

@Test func aServerThatNeverAnswersDoesNotStallThePort() throws {
  let silence = try LoopbackServer { connection, keep in
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(connection, &buffer, buffer.count) > 0 { keep("request") }
  }
  let modem = try ServedModem()
  let client = try connectedClient(modem)
  try client.type("AT+SHCONF=\"URL\",\"http://127.0.0.1:\(silence.port)\"\r", until: "OK\r\n")
  try client.type("AT+SHCONF=\"BODYLEN\",1024\r", until: "OK\r\n")
  try client.type("AT+SHCONF=\"HEADERLEN\",350\r", until: "OK\r\n")
  try client.type("AT+SHCONN\r", until: "OK\r\n")
  try client.type("AT+SHREQ=\"/\",1\r", until: "OK\r\n")
  #expect(silence.next() != nil, "the request is out")
  let start = MonotonicClock.now
  for _ in 0..<20 { try client.type("AT\r", until: "OK\r\n") }
  // An answer takes 12 ms by the simulator's own clock; a stall would take seconds.
  #expect(MonotonicClock.now - start < .seconds(3))
}

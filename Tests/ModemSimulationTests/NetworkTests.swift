import ModemSimulation
import Testing

@Suite struct NetworkTests {
  @Test func aReplyNamesTheRequestItAnswers() {
    let request = NetworkRequest.openSocket(id: 7, isUDP: false, host: "10.0.0.5", port: 5000, usesTLS: false)
    #expect(request.id == 7)
    #expect(NetworkReply.opened(id: 7).id == request.id)
    #expect(NetworkReply.refused(id: 8, .timedOut).id == 8)
  }
}

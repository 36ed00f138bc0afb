import ATCommands
import Quantities
import Testing

@testable import SIM7000

/// How commands are answered, as the manual has it.
@Suite struct CompletionTests {
  @Test func timeLimitsAreThoseOfTheManual() throws {
    let host: ServerAddress = try modemText("h")
    #expect(CIPSHUT.Execute().grammar.answerTimeout == .seconds(65))
    #expect(CMGL.List(includesRead: true).grammar.answerTimeout == .seconds(20))
    #expect(CMGS.Send(to: try modemText("1"))?.grammar.outcomeTimeout == .seconds(60))
    #expect(CIPSEND.Send(connection: nil, count: 1)?.grammar.outcomeTimeout == .seconds(645))
    #expect(CIPSTART.Open(connection: nil, host: host, port: 1)?.grammar.outcomeTimeout == .seconds(160))
    #expect(CIPSTART.Open(connection: 0, host: host, port: 1)?.grammar.outcomeTimeout == .seconds(75))
    #expect(CNACT.Activate().grammar.outcomeTimeout == .seconds(60))
  }

  @Test func payloadsAreAskedForAsTheManualSays() throws {
    let topic: TopicName = try modemText("t")
    #expect(CIPSEND.Send(connection: 0, count: 1)?.grammar.prompt == .angle)
    #expect(CASEND.Send(count: 1)?.grammar.prompt == .angle)
    #expect(SMPUB.Send(topic: topic, count: 1)?.grammar.prompt == .angle)
    #expect(SHBODEXT.Send(count: 1)?.grammar.prompt == .angle)
    #expect(CMGS.Send(to: try modemText("1"))?.grammar.prompt == .angle)
    #expect(HTTPDATA.Send(count: 1)?.grammar.prompt == .download)
    #expect(SHREQ.Request(try modemText("/"), method: .get)?.grammar.prompt == ATPrompt.none)
  }

  @Test func commandsWithoutAnOKEndByTheirOwnWords() throws {
    guard case .text(let shut, nil) = CIPSHUT.Execute().grammar.end else {
      Issue.record("CIPSHUT ends otherwise")
      return
    }
    #expect(shut.description == "SHUT OK")
    guard case .text(let off, nil) = CPOWD.Execute().grammar.end else {
      Issue.record("CPOWD ends otherwise")
      return
    }
    #expect(off.description == "NORMAL POWER DOWN")
    guard case .information = CIFSR.Execute().grammar.end else {
      Issue.record("CIFSR ends otherwise")
      return
    }
    for connection in 0...7 as ClosedRange<UInt8> {
      let close = try #require(CIPCLOSE.Close(connection: connection))
      let send = try #require(CIPSEND.Send(connection: connection, count: 1))
      guard case .text(let closed, _) = close.grammar.end, case .text(let sent, _) = send.grammar.end else {
        Issue.record("connection \(connection) ends otherwise")
        continue
      }
      #expect(closed.description == "\(connection), CLOSE OK" && sent.description == "SEND OK")
      #expect(send.grammar.failure?.description == "SEND FAIL")
      let host: ServerAddress = try modemText("h")
      let open = try #require(CIPSTART.Open(connection: connection, host: host, port: 1))
      #expect(open.grammar.failure?.description == "STATE:")
    }
  }

  @Test func outcomesThatComeAfterOKAreWaitedFor() throws {
    guard case .okThenText(let up, let down) = CNACT.Activate().grammar.end else {
      Issue.record("CNACT ends otherwise")
      return
    }
    #expect(up.description == "+APP PDP: ACTIVE" && down.description == "+APP PDP: DEACTIVE")
    let request = try #require(SHREQ.Request(try modemText("/"), method: .get))
    guard case .okThenNamed(let name, _) = request.grammar.end else {
      Issue.record("SHREQ ends otherwise")
      return
    }
    #expect(name.description == "+SHREQ" && request.grammar.failure == nil)
    guard case .okThenCounted(_, let count)? = SHREAD.Get(count: 4000)?.grammar.end else {
      Issue.record("SHREAD ends otherwise")
      return
    }
    #expect(count == 4000)
    guard case .afterLine(_, let field)? = CIPRXGET.Get(connection: 0, maximumCount: 9)?.grammar.counted,
      case .afterLine(_, let single)? = CIPRXGET.Get(connection: nil, maximumCount: 9)?.grammar.counted
    else {
      Issue.record("CIPRXGET is counted otherwise")
      return
    }
    #expect(field == 2 && single == 1)
  }
}

import JSON5

extension BoardRun {
  /// Answers who asks at the local socket.
  ///
  /// - Parameters:
  ///   - version: Of the program.
  ///   - reply: Called with the answer, a line of JSON.
  package func answer(_ request: ControlRequest, version: String, reply: @escaping ([UInt8]) -> Void) {
    switch request {
    case .status: reply(statusJSON(version: version))
    case .rules: reply(rulesJSON)
    case .gear: reply(jsonBytes(run.lookAtGear { GearStatus($0) }))
    case .command(let text):
      // What is called accepted survives a power cut.
      let isRequest = self.request(text) { [unowned self] in
        let answer = lastAnswer.map { ",\"answer\":\"\($0)\"" } ?? ""
        let value = lastValue.map { ",\"value\":\(json5Quoted($0))" } ?? ""
        reply(Array("{\"accepted\":\(!isRefusal)\(answer)\(value)}".utf8))
      }
      if !isRequest {
        let reason = lastRefusal.map { "refused: \($0)" } ?? "no such request"
        reply(Array("{\"error\":\"\(reason)\"}".utf8))
      }
    }
  }
}

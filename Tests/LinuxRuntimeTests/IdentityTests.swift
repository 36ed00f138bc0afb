import Foundation
import Glibc
import InlineStorage
import Quantities
import Requests
import Testing
import TrackerCore
import Uplinks

@testable import LinuxRuntime

/// What a tracker is called, where its secret is, and what the label says.
@Suite struct IdentityTests {
  private func signed(_ text: String, _ counter: UInt64, _ key: RequestKey?) -> String {
    let id = Array("leash".utf8)
    let bytes = Array(text.utf8)
    let signed = key?.signed(bytes.span, for: id.span, counter: counter) ?? InlineBytes<416>()
    return signed.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func anIdThatWouldMeanSomethingElseSomewhereIsRefusedWithTheReason() {
    for id in ["a", "7", "bike42", "Allawi2003", "a.b-c_d", String(repeating: "x", count: 32)] {
      #expect(DeviceID.expectation(id) == nil && problems("{ trackerId: '\(id)' }").isEmpty, "\(id)")
    }
    for (id, found) in [
      ("bike/42", "found '/'"), ("bike 42", "found a blank"), ("bike+", "found '+'"), ("b#1", "found '#'"),
      ("Zoë", "found U+00EB"), ("-x", "found '-' there"), (".x", "found '.' there"), ("a\u{1F6B2}", "found U+1F6B2"),
      ("a%2f", "found '%'"), ("a:b", "found ':'"), ("", "found nothing"),
      (String(repeating: "x", count: 33), "found 33"),
    ] { #expect(DeviceID.expectation(id)?.hasSuffix("; " + found) == true, "\(id)") }
    let told = problems("{ trackerId: 'bike/42' }")
    #expect(told.count == 1 && told[0].contains("a-z, A-Z, 0-9, '-', '_' and '.'") && told[0].contains("found '/'"))
    #expect(problems("{ trackerId: '' }").count == 1)
    #expect(problems("{ trackerId: '\(String(repeating: "x", count: 33))' }").first?.contains("1 to 32") == true)
  }

  @Test func aLabelReadsBackAndNothingElseIsOne() throws {
    let digits = String(repeating: "0123456789abcdef", count: 4)
    let label = try #require(ClaimText(" leash://claim/bike42#\(digits)\n"))
    #expect(label.trackerID == "bike42" && label.secret.digits == digits)
    #expect(label.text == "leash://claim/bike42#\(digits)")
    for text in [
      "", "leash://claim/", "leash://claim/bike42", "leash://claim/bike42#\(digits)0", "leash://claim/#\(digits)",
      "leash://claim/bike42#\(digits)#", "leash://claim/b/c#\(digits)", "http://claim/bike42#\(digits)", digits,
    ] { #expect(ClaimText(text) == nil, "\(text)") }
  }

  @Test func aSecretIsDrawnOnceAndNobodyElseMayReadIt() throws {
    let folder = try Folder()
    let file = SecretFile(ofState: folder("state.db"))
    #expect(file.path == folder("state.db") + ".secret")
    let isThere = try file.read() != nil
    #expect(!isThere)
    let first = try file.keep()
    #expect(mode(file.path) == 0o600)
    #expect(try file.keep().digits == first.digits && file.read()?.digits == first.digits)
    #expect(Set(first.digits).count > 4)
    chmod(file.path, 0o644)
    #expect(try file.keep().digits == first.digits && mode(file.path) == 0o600)
    let second = try file.renew()
    #expect(try second.digits != first.digits && file.keep().digits == second.digits && mode(file.path) == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("")) == ["state.db.secret"])
    let other = SecretFile(ofState: folder("other.db"))
    #expect(try other.keep().digits != second.digits)
  }

  @Test func aSecretThatIsNoneIsToldAndLeftAlone() throws {
    let folder = try Folder()
    let file = SecretFile(path: folder("secret"))
    for text in ["", "4711\n", String(repeating: "0", count: 63) + "x\n", String(repeating: "0", count: 300)] {
      try text.write(toFile: file.path, atomically: true, encoding: .utf8)
      #expect(throws: SecretFile.Failure.self) { try file.keep() }
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
    }
    let key = try SecretFile(path: folder("other")).keep()
    #expect(throws: SecretFile.Failure(message: "\(file.path): File exists")) { try file.put(key, replaces: false) }
    #expect(throws: SecretFile.Failure.self) { try SecretFile(path: folder("nowhere/secret")).keep() }
  }

  @Test func aBoardIsClaimedWithItsLabelAndUnclaimedAtItsConsole() throws {
    let folder = try Folder()
    let secret = try SecretFile(ofState: folder("state.db")).keep()
    let id = Array("leash".utf8)
    let key = secret.ownersKey(claim: 1000, for: id.span)
    let claim = signed("claim", 1000, secret)
    for life in 0..<3 {
      let board = Board(folder)
      let run = try board.start()
      run.offer(claimSecret: secret)
      switch life {
      case 0:
        #expect(run.status(version: "1").owner == "none" && run.status(version: "1").isDisabled == nil)
        #expect(!run.request("claim") && run.lastRefusal == "notAllowed")
        #expect(run.request(claim) && run.lastAnswer == "claimed" && run.lastRefusal == nil)
        #expect(run.request(signed("enabled off", 1001, key)) && run.lastAnswer == "disabled")
      case 1:
        let status = run.status(version: "1")
        #expect(status.owner == "claimed" && status.isDisabled == true && !status.alertsEnabled)
        #expect(!run.request(claim) && run.lastRefusal == "replayed")
        #expect(run.request(signed("ping", 1002, key)) && run.request("unclaim") && run.lastAnswer == "unclaimed")
      default:
        #expect(run.status(version: "1").owner == "none" && run.status(version: "1").alertsEnabled)
        #expect(!run.request(claim) && run.lastRefusal == "replayed")
        #expect(!run.request(signed("ping", 1003, key)) && run.lastRefusal == "noKey")
      }
      let shown = String(decoding: run.statusJSON(version: "1") + run.historyJSON(after: 0), as: UTF8.self)
      #expect(!shown.contains(secret.digits) && !shown.contains(key.digits))
      run.stop()
    }
    // Nor is it in what survives a restart.
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder("")) where !name.hasSuffix(".secret") {
      guard let bytes = FileManager.default.contents(atPath: folder(name)) else { continue }
      for digits in [secret.digits, key.digits] {
        #expect(bytes.firstRange(of: Data(digits.utf8)) == nil)
        let raw = stride(from: 0, to: 64, by: 2).compactMap {
          UInt8(digits.dropFirst($0).prefix(2), radix: 16)
        }
        #expect(raw.count == 32 && bytes.firstRange(of: Data(raw.prefix(8))) == nil, "\(name)")
      }
    }
  }

  @Test func aKeyOfTheFileIsTheOwners() throws {
    var board = Board(try Folder())
    board.configuration.requests.key = Secret(String(repeating: "0f", count: 32))
    let run = try board.start()
    #expect(run.status(version: "1").owner == "file" && !run.request("unclaim") && run.lastRefusal == "keyInFile")
    run.stop()
  }

  @Test func aListCanNotGiveTheTrackerAway() {
    for words in ["'claim'", "'unclaim'", "'locate', 'unclaim'"] {
      #expect(problems("{ requests: { trusted: [\(words)] } }").count == 1)
    }
    #expect(problems("{ requests: { trusted: ['enabled'] } }").isEmpty)
  }
}

import Foundation
import LinuxDevices
import Quantities
import ServerSupport
import SkippedTests
import Testing

@testable import StatusPage

/// A tracker with a page that takes requests, on a thread as long as the value lives.
private final class ServedBoard: Sendable {
  let port: UInt16
  private let stop: WakeUp
  private let isDone = DispatchSemaphore(value: 0)

  private final class Stopper: LoopMember {
    var isStopped = false
    var nextDeadline: Instant? { nil }
    func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) { isStopped = true }
    func advance(to now: Instant) {}
  }

  init(files: String? = nil) throws {
    let stop = try WakeUp()
    let isDone = isDone
    let told = AsyncPort()
    Thread {
      do {
        let page = try PageOfBoard(files: files)
        let stopper = Stopper()
        page.loop.add(stopper)
        try page.loop.watch(stop.descriptor, for: .reading, by: stopper)
        told.tell(page.port)
        while !stopper.isStopped { page.board.turn() }
      } catch {
        told.tell(0)
      }
      isDone.signal()
    }.start()
    port = told.wait()
    self.stop = stop
    try #require(port != 0)
  }

  deinit {
    stop.signal()
    isDone.wait()
  }
}

/// A number that one thread tells another.
private final class AsyncPort: @unchecked Sendable {
  private let isTold = DispatchSemaphore(value: 0)
  private var port: UInt16 = 0

  func tell(_ port: UInt16) {
    self.port = port
    isTold.signal()
  }

  func wait() -> UInt16 {
    isTold.wait()
    return port
  }
}

/// The page and pages of others in a real browser.
@Suite(.serialized) struct CrossSiteTests {
  /// The files of the page with somebody who types a token in as soon as the page knows its tracker, and then switches alerts off.
  private func folder(
    typing token: String, then statement: String = "", asking question: String = "at('ask-alerts').click();"
  ) throws -> URL {
    let script = """

      const look = setInterval(() => {
        if (!known.status) return;
        clearInterval(look);
        at("token").value = "\(token)";
        at("token-form").requestSubmit();
        \(statement)
        \(question)
      }, 50);
      """
    let source = URL(fileURLWithPath: #filePath).appending(path: "../../../Sources/StatusPage/Page").standardized
    let folder = FileManager.default.temporaryDirectory.appending(path: "leash-page-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in PageFile.all {
      var bytes = try Data(contentsOf: source.appending(path: file.name))
      if file.name == "page.js" { bytes += Data(script.utf8) }
      try bytes.write(to: folder.appending(path: file.name))
    }
    return folder
  }

  /// What the tracker says of itself, asked as a page that only shows would.
  private func status(_ port: UInt16) throws -> String {
    let client = try LoopClient(port, in: EventLoop(clock: MachineClock()))
    defer { client.leave() }
    client.send("GET /status.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return try #require(client.answer()).text
  }

  @Test func aTokenThatIsTypedInLetsTheButtonsWork() throws {
    guard let browser = Browser() else { return }
    let files = try folder(
      typing: pageToken,
      then: "body.dataset.kept = sessionStorage.getItem('leash-key') === '\(pageToken)' ? 'token' : 'key';")
    defer { try? FileManager.default.removeItem(at: files) }
    let board = try ServedBoard(files: files.path)
    let document = try browser.document(of: "http://127.0.0.1:\(board.port)/", after: 6000)
    #expect(document.contains("data-errors=\"0\""), "\(document.prefix(900))")
    #expect(document.contains("alerts off: alerts are off"), "\(document.suffix(6000))")
    #expect(document.contains("from the local page: alerts are off") && document.contains("data-kept=\"key\""))
    #expect(!document.contains(pageToken.prefix(12)))
    let status = try status(board.port)
    #expect(status.contains("\"alertsEnabled\":false") && status.contains("\"answer\":\"alertsOff\""), "\(status)")
  }

  /// What a person does with the form of a fence, and waits for.
  private static let drawing = """
    const until = (what) => new Promise((done) => {
      const look = setInterval(() => {
        if (!what()) return;
        clearInterval(look);
        done();
      }, 50);
    });
    const type = (id, text) => {
      at(id).value = text;
      at(id).dispatchEvent(new Event("input"));
    };
    const draw = ({ draft }) => {
      at("new-fence").click();
      [[52, 4.5], [52.001, 4.5], [52.001, 4.502]].forEach(([lat, lon]) => draft.add({ lat, lon }));
      type("shape-name", "garden");
      at("shape-form").requestSubmit();
      return until(() => at("shape-form").hidden && at("fence-rows").children.length === 1);
    };
    const press = (label) => document.querySelector(`[aria-label^="${label}: fence 1"]`).click();
    """

  @Test func aFenceThatIsDrawnIsTheTrackersAndIsListedWithItsButtons() throws {
    guard let browser = Browser() else { return }
    let files = try folder(typing: pageToken, asking: Self.drawing + "import(\"./draft.js\").then(draw);")
    defer { try? FileManager.default.removeItem(at: files) }
    let board = try ServedBoard(files: files.path)
    let document = try browser.document(of: "http://127.0.0.1:\(board.port)/", after: 6000)
    #expect(document.contains("data-errors=\"0\""), "\(document.prefix(900))")
    #expect(document.contains("polygon of 3 corners, off: unknown"), "\(document.suffix(9000))")
    #expect(document.contains("data-request=\"fence 1 on\"") && document.contains("data-request=\"fence 1 delete\""))
    #expect(content(of: "map", attribute: "data-fences", in: document) == "1")
    #expect(content(of: "rule-result", in: document) == "fence 1 set: changed")
    let status = try status(board.port)
    #expect(status.contains("\"name\":\"garden\"") && status.contains("\"latitudeDegrees\":52.001"), "\(status)")
  }

  @Test func anEditThatIsRefusedStaysOpenWithItsReasonAndIsMended() throws {
    guard let browser = Browser() else { return }
    let files = try folder(
      typing: pageToken,
      asking: Self.drawing + """
        import("./draft.js").then(async ({ draft }) => {
          await draw({ draft });
          press("Edit");
          type("shape-name", "garden \\"x\\"");
          at("shape-form").requestSubmit();
          body.dataset.field = at("shape-name-problem").textContent;
          type("shape-name", "yard");
          draft.move(0, 2, { lat: 52, lon: 4.5 });
          at("shape-form").requestSubmit();
          await until(() => at("shape-result").textContent);
          body.dataset.refused = at("shape-form").hidden ? "closed" : at("shape-result").textContent;
          draft.move(0, 2, { lat: 52.002, lon: 4.503 });
          at("shape-form").requestSubmit();
          await until(() => at("shape-form").hidden);
          press("Edit");
          draft.move(0, 0, { lat: 1, lon: 1 });
          at("shape-cancel").click();
        });
        """)
    defer { try? FileManager.default.removeItem(at: files) }
    let board = try ServedBoard(files: files.path)
    let document = try browser.document(of: "http://127.0.0.1:\(board.port)/", after: 8000)
    #expect(document.contains("data-errors=\"0\""), "\(document.prefix(900))")
    #expect(
      document.contains("data-field=\"The name can't contain double quotes or line breaks\""), "\(document.prefix(900))"
    )
    #expect(document.contains("data-refused=\"Refused: two corners are at the same place;"), "\(document.prefix(900))")
    let status = try status(board.port)
    #expect(status.contains("\"name\":\"yard\"") && status.contains("\"longitudeDegrees\":4.503"), "\(status)")
    // What was given up changed nothing.
    #expect(!status.contains("\"latitudeDegrees\":1,") && !status.contains("\"latitudeDegrees\":1}"), "\(status)")
  }

  @Test func aWrongTokenIsToldAndForgotten() throws {
    guard let browser = Browser() else { return }
    let files = try folder(typing: "correct horse battery stable")
    defer { try? FileManager.default.removeItem(at: files) }
    let board = try ServedBoard(files: files.path)
    let document = try browser.document(of: "http://127.0.0.1:\(board.port)/", after: 6000)
    #expect(document.contains("Refused: wrong token or key"), "\(document.suffix(6000))")
    #expect(try status(board.port).contains("\"alertsEnabled\":true"))
    #expect(try status(board.port).contains("\"name\":\"requestsRefused\",\"value\":\"1\""))
  }

  /// A page of somebody else, who has even got hold of a request with a right signature, tries all that a browser offers.
  @Test func aPageOfSomebodyElseCanDoNothing() throws {
    guard let browser = Browser() else { return }
    let board = try ServedBoard()
    let signer = try PageOfBoard()
    let request = try signer.signed("alerts off")
    let target = "http://127.0.0.1:\(board.port)/request"
    let evil = try HTTPServer { _, _ in
      .status(
        200, headers: [("Content-Type", "text/html; charset=utf-8")],
        body: """
          <!doctype html><body data-done="0"><iframe name="hidden"></iframe><script>
          const request = "\(request)", target = "\(target)", seen = [];
          const tried = async (name, options) => {
            try { seen.push(name + ": " + (await fetch(target, { method: "POST", body: request, ...options })).status); }
            catch { seen.push(name + ": blocked"); }
          };
          const form = (type) => {
            const form = document.createElement("form");
            Object.assign(form, { action: target, method: "post", enctype: type, target: "hidden" });
            const field = document.createElement("input");
            field.name = request; field.value = "";
            form.append(field); document.body.append(form); form.submit();
          };
          (async () => {
            await tried("plain", {});
            await tried("with the header", { headers: { "Leash-Request": "1" } });
            await tried("without an answer", { mode: "no-cors" });
            await tried("without an answer, with the header", { mode: "no-cors", headers: { "Leash-Request": "1" } });
            await tried("with cookies", { credentials: "include", headers: { "Leash-Request": "1" } });
            seen.push("beacon: " + navigator.sendBeacon(target, request));
            for (const type of ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"]) form(type);
            try { seen.push("read: " + (await fetch("http://127.0.0.1:\(board.port)/status.json")).status); }
            catch { seen.push("read: blocked"); }
            document.body.dataset.done = seen.join("; ");
          })();
          </script>
          """)
    }
    let document = try browser.document(of: "http://127.0.0.1:\(evil.port)/", after: 6000)
    for name in ["plain", "with the header", "with cookies", "read"] {
      #expect(document.contains("\(name): blocked"), "\(document)")
    }
    let status = try status(board.port)
    #expect(status.contains("\"alertsEnabled\":true") && status.contains("\"requests\":[]"), "\(status)")
    // They were heard of, and none was let through: the browser did send some.
    #expect(status.contains("\"name\":\"pageRequestsRefused\""), "\(status)")
    // The request itself was good.
    #expect(try signer.post(request)?.status == 200)
  }
}

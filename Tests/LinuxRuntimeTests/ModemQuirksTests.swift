import Foundation
import ModemSimulation
import Quantities
import SIM7000
import Testing
import Uplinks

@testable import LinuxRuntime

/// What the modem of a board has refused, over restarts of the tracker.
@Suite struct ModemQuirksTests {
  private func record(_ file: QuirksFile) -> UInt64 { file.read().reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  @Test func whatTheModemHasRefusedIsNotAskedForAfterARestart() throws {
    let folder = try Folder()
    let file = QuirksFile(ofState: folder.path + "/state.db")
    let board = VirtualBoard(try Folder(isInMemory: true))
    let modem = VirtualModem(board.clock, dialect: FirmwareDialect([.noBodyData]))
    modem.quirks = file
    board.modem = modem
    board.modemWays = [.init(.http)]
    try board.start()
    board.live(until: VirtualBoard.hour(0.1))
    let count = modem.count(of: "AT+SHBODEXT")
    let delivered = modem.received(on: .http).count
    #expect(count > 0 && delivered > 0)
    #expect(ModemQuirks(record: record(file))?.takesBodyInCommand == true)
    for number in 2...3 {
      board.cut()
      try board.start()
      board.live(until: VirtualBoard.hour(0.1 * Double(number)))
    }
    #expect(modem.received(on: .http).count > delivered)
    #expect(modem.count(of: "AT+SHBODEXT") == count, "asked again")
    board.stop()
  }

  /// Damaged, or of another program: it is found out anew.
  @Test func bytesThatAreNoRecordStopNothing() throws {
    let folder = try Folder()
    let file = QuirksFile(ofState: folder.path + "/state.db")
    file.write(Array("what is this".utf8))
    let board = VirtualBoard(try Folder(isInMemory: true))
    let modem = VirtualModem(board.clock)
    modem.quirks = file
    board.modem = modem
    board.modemWays = [.init(.http)]
    try board.start()
    board.live(until: VirtualBoard.hour(0.1))
    #expect(!modem.received(on: .http).isEmpty)
    #expect(ModemQuirks(record: record(file))?.firmware != nil)
    board.stop()
  }
}

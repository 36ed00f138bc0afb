import FirmwareUpdate
import Foundation
import OtherPrograms
import SkippedTests
import Testing

@testable import LeashTool

/// An ELF file as a linker writes it: vectors and code at one place, in a segment with the header of the file before them;
/// initialised variables behind them, a memory that is only cleared, and a comment that is not loaded.
private func linked(at place: Int = 0x0800_0200, reset: Int? = nil) -> [UInt8] {
  func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  func words(_ numbers: Int...) -> [UInt8] { numbers.flatMap { bytes($0, 4) } }
  let code = bytes(0x2000_1000, 4) + bytes((reset ?? place + 8) | 1, 4) + [UInt8](repeating: 0xBF, count: 20)
  let variables: [UInt8] = [1, 2, 3, 4]
  let start = 0x200
  let sections = start + code.count + variables.count
  var file: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 1, 1, 1] + [UInt8](repeating: 0, count: 9)
  file += bytes(2, 2) + bytes(40, 2) + words(1, place, 52, sections, 0)
  file += bytes(52, 2) + bytes(32, 2) + bytes(3, 2) + bytes(40, 2) + bytes(5, 2) + bytes(0, 2)
  // Type, offset, address, address in flash, bytes of the file, bytes in memory, flags, alignment.
  file += words(1, start + code.count, 0x2000_0000, place + 32, variables.count, variables.count, 6, 4)
  file += words(1, 0, place - start, place - start, start + code.count, start + code.count, 5, 4096)
  file += words(1, start, 0x2000_0004, 0x2000_0004, 0, 64, 6, 4)
  file += [UInt8](repeating: 0, count: start - file.count) + code + variables
  // Name, type, flags, address, offset, bytes, and what is not looked at.
  func section(_ type: Int, _ flags: Int, _ offset: Int, _ count: Int) -> [UInt8] {
    words(0, type, flags, 0, offset, count, 0, 0, 4, 0)
  }
  file += section(0, 0, 0, 0) + section(1, 6, start, code.count) + section(1, 3, start + code.count, variables.count)
  return file + section(8, 3, start, 64) + section(1, 0, 0, 52)
}

/// Files of a test: a key, its public half, a linked image; nil, told once, where there is no openssl.
private struct SigningFiles {
  let folder: TemporaryFolder
  let key: String
  let open: String
  let elf: String

  init?(_ algorithm: String = "ed25519") throws {
    folder = try TemporaryFolder()
    (key, open) = (folder.path("key.pem"), folder.path("public.pem"))
    elf = try folder.file("image.elf", linked())
    guard try Self.openssl("genpkey", "-algorithm", algorithm, "-out", key),
      try Self.openssl("pkey", "-in", key, "-pubout", "-out", open)
    else {
      noteSkipped("there is no program openssl")
      return nil
    }
  }

  private static func openssl(_ words: String...) throws -> Bool {
    guard let path = OtherProgram.path(of: "openssl") else { return false }
    return try OtherProgram.output(of: [path] + words).status == 0
  }

  func sign(_ more: String..., key other: String? = nil, to name: String = "image.signed") -> ToolRun {
    ToolRun(
      ["firmware", "sign", elf, folder.path(name), "--board", "test", "--version", "1.2.3", "--key", other ?? key]
        + more)
  }
}

@Suite struct FirmwareCommandTests {
  @Test func aSignedImageIsWhatABoardTakes() throws {
    guard let files = try SigningFiles() else { return }
    let signed = files.sign()
    #expect(signed.code == .success && signed.err.isEmpty)
    #expect(signed.lines.first == "\(files.folder.path("image.signed")): test 1.2.3, 36 bytes for 0x08000200")
    let file = try FirmwareFile(path: files.folder.path("image.signed"))
    let key = try PublicKeyFile.key(path: files.open)
    #expect(
      file.header.isFor("test") && file.header.version == FirmwareVersion(1, 2, 3) && file.header.place == 0x0800_0200)
    #expect(file.header.names(key) && file.header.isSigned(by: key) && file.content.count == 36)
    // Between code and variables is memory that nothing is programmed into.
    #expect(
      file.content[8..<28].allSatisfy { $0 == 0xBF }
        && Array(file.content[28..<36]) == [255, 255, 255, 255, 1, 2, 3, 4])
    #expect(signed.lines.last == "key \((0..<32).map { String(format: "%02x", key.bytes[$0]) }.joined())")
    // The slot of a new board.
    #expect(files.sign("--flash", to: "slot.bin").code == .success)
    let slot = try Array(Data(contentsOf: URL(filePath: files.folder.path("slot.bin"))))
    #expect(slot.count == 512 + 36 && slot.prefix(192).elementsEqual(file.fileBytes.prefix(192)))
    #expect(Array(slot[512...]) == file.content)
    let marked = Set((192..<512).filter { slot[$0] != 0xFF }.map { ($0 - 192) / 16 })
    #expect(marked == [SlotMark.whole.cells.lowerBound, SlotMark.confirmed.cells.lowerBound])
  }

  @Test func anImageIsShownWithWhatIsWrongWithIt() throws {
    guard let files = try SigningFiles(), let others = try SigningFiles() else { return }
    _ = files.sign()
    let path = files.folder.path("image.signed")
    let shown = ToolRun("firmware", "show", path, "--key", files.open)
    #expect(shown.code == .success && shown.err.isEmpty)
    #expect(
      shown.lines.prefix(4) == ["board      test", "version    1.2.3", "place      0x08000200", "length     36 bytes"])
    #expect(shown.lines.last == "signature  ok")
    let bare = ToolRun("firmware", "show", path)
    #expect(bare.code == .success && bare.lines.last == "signature  not checked: no --key")
    let whole = try Array(Data(contentsOf: URL(filePath: path)))
    func show(_ change: (inout [UInt8]) -> Void, _ key: String? = nil) throws -> (ExitCode, String?) {
      var bytes = whole
      change(&bytes)
      let run = ToolRun(
        "firmware", "show", try files.folder.file("changed", bytes), "--json", "--key", key ?? files.open)
      let object = try run.objects().first
      return (run.code, object?["refusal"] as? String)
    }
    #expect(try show { _ in } == (.success, nil))
    #expect(try show { $0[200] ^= 1 } == (.checkFailed, "content"))
    #expect(try show { $0.removeLast() } == (.checkFailed, "length"))
    #expect(try show { $0[150] ^= 1 } == (.checkFailed, "signature"))
    #expect(try show({ _ in }, others.open) == (.checkFailed, "key"))
    let damaged = ToolRun("firmware", "show", try files.folder.file("damaged", whole.map { $0 ^ 1 }))
    #expect(damaged.code == .environment)
    #expect(damaged.err.contains("damaged: no signed image, or its header is damaged; 'leash firmware sign' makes one"))
    #expect(ToolRun("firmware", "show", try files.folder.file("short", [1, 2])).code == .environment)
    #expect(ToolRun("firmware", "show", files.folder.path("none")).code == .environment)
    let secret = ToolRun("firmware", "show", path, "--key", files.key)
    #expect(secret.code == .environment && secret.err.contains("a private key; expected the public one"))
    #expect(ToolRun("firmware", "show", path, "--key", files.elf).err.contains("expected a public key of Ed25519"))
  }

  @Test func mistakesInSigningNameTheFileAndTheReason() throws {
    guard let files = try SigningFiles(), let rsa = try SigningFiles("X25519") else { return }
    #expect(files.sign(key: rsa.key).err.contains("\(rsa.key): not a key of Ed25519"))
    #expect(files.sign(key: files.elf).err.contains("\(files.elf): openssl can't use this key"))
    #expect(files.sign(key: files.folder.path("none")).err.contains("none: can't open: No such file"))
    #expect(files.sign(to: "no/folder").err.contains("no/folder: can't write: No such file or directory"))
    for run in [files.sign(key: rsa.key), files.sign(key: files.elf), files.sign(to: "no/folder")] {
      #expect(run.code == .environment && run.out.isEmpty && run.problems.count == 1)
    }
    let words = ["firmware", "sign", files.elf, files.folder.path("out"), "--key", files.key]
    #expect(ToolRun(words + ["--version", "1.2.3"]).problems.first?.contains("--board is missing") == true)
    #expect(ToolRun(words + ["--board", "x"]).problems.first?.contains("--version is missing") == true)
    for version in ["1.2", "1.2.3.4", "256.0.0", "1.2.65536", "1..2", "v1.2.3", "+1.2.3"] {
      #expect(ToolRun(words + ["--board", "x", "--version", version]).code == .usage, "\(version)")
    }
    for board in ["", "seventeen.letters", "two words", "ä"] {
      #expect(ToolRun(words + ["--board", board, "--version", "1.2.3"]).code == .usage, "\(board)")
    }
    #expect(ToolRun(Array(words.dropLast(2)) + ["--board", "x", "--version", "1.2.3"]).code == .usage)
  }

  @Test func onlyAnImageWithItsVectorsIsTaken() throws {
    let image = try LinkedImage(linked(), path: "x")
    #expect(image.place == 0x0800_0200 && image.bytes.count == 36)
    func problem(_ bytes: [UInt8]) -> String? {
      do throws(CommandFailure) {
        _ = try LinkedImage(bytes, path: "x")
        return nil
      } catch { return error.message }
    }
    #expect(problem([]) == "x: expected an ELF file of a 32-bit processor, as a linker writes it")
    #expect(problem(linked(at: 0x4_0200)) == nil)
    #expect(problem(linked(reset: 0x0800_0100))?.hasPrefix("x: no vector table at its begin") == true)
    #expect(problem(linked(reset: 0x0800_0300))?.hasPrefix("x: no vector table at its begin") == true)
    // Cut at any place it is no image, and nothing is read beyond its end.
    for count in 0..<linked().count { #expect(problem(Array(linked().prefix(count))) != nil, "\(count) bytes") }
    var wide = linked()
    wide[4] = 2
    #expect(problem(wide) != nil)
  }
}

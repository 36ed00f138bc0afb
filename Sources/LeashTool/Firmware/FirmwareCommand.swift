import FirmwareUpdate
import Foundation
import JSON5

/// `leash firmware`: signed images for boards.
enum FirmwareCommand {
  static let command = Command(
    "firmware", "Sign firmware images for updates, and look at them",
    discussion: """
      A board takes an image that is signed with the key it knows, is for this board and its slot, and is newer. \
      docs/firmware.md describes images and updates.
      """,
    subcommands: [FirmwareSignCommand.command, FirmwareShowCommand.command])

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// `leash firmware sign`: an image with its header.
enum FirmwareSignCommand {
  static let image = Positional("ELF", "The image as it was linked for its slot.")
  static let output = Positional("OUT", "The signed image.")
  static let board = Option<String>("board", "NAME", "Name of the board, at most 16 bytes.")
  static let version = Option<VersionText>("version", "VERSION", "Version of the image, such as 1.2.3.")
  static let key = Option<String>("key", "FILE", "The private key, as openssl writes it.")
  static let forFlash = Flag(
    "flash", "Write the slot as it lies in the flash of a new board, marked as confirmed, for a programmer.")

  static let command = Command(
    "sign", "Sign an image",
    discussion: """
      Takes the bytes of the image and its place from the ELF file, and lets the program openssl sign the header. \
      'openssl genpkey -algorithm ed25519 -out key.pem' makes a key.
      """,
    parameters: [
      .positional(image), .positional(output), .option(board), .option(version), .option(key), .flag(forFlash),
    ]
  ) { arguments, console throws(CommandFailure) in
    guard let name = arguments[board] else { throw .usage("--board is missing: the name of the board") }
    guard let text = arguments[version] else { throw .usage("--version is missing: the version of the image") }
    guard let path = arguments[key] else { throw .usage("--key is missing: the file of the private key") }
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .usage("option '--board': '\(name)': expected 1 to 16 letters, digits or signs")
    }
    let linked = try LinkedImage(path: arguments[image][0])
    guard
      var header = FirmwareHeader(
        board: Array(name.utf8).span, version: text.version, place: linked.place, length: UInt32(linked.bytes.count))
    else { throw .usage("option '--board': '\(name)': expected 1 to 16 letters, digits or signs") }
    let secret = try SigningKey(path: path)
    defer { secret.end() }
    let open = try secret.publicKey()
    var hash = SHA512()
    hash.update(linked.bytes.span)
    header.set(digest: hash.finish(), key: open)
    let signature = try secret.sign((0..<FirmwareHeader.signedSize).map { header.bytes[$0] })
    // As a board will.
    guard header.set(signature: signature.span), header.isSigned(by: open) else {
      throw .environment("\(path): what openssl has signed is not what boards take")
    }
    let file = FirmwareFile(header: header, content: linked.bytes)
    try FirmwareFile.write(arguments[forFlash] ? file.slotBytes : file.fileBytes, to: arguments[output][0])
    console.out.writeLine(
      "\(arguments[output][0]): \(name) \(text), \(linked.bytes.count) bytes for "
        + LinkedImage.hexadecimal(Int(linked.place)))
    console.out.writeLine("key \(FirmwareCommand.hexadecimal((0..<32).map { open.bytes[$0] }))")
    return .success
  }
}

/// `leash firmware show`: what a signed image is, and whether it is whole.
enum FirmwareShowCommand {
  static let image = Positional("IMAGE", "A signed image.")
  static let key = Option<String>("key", "FILE", "The public key that it must be signed with.")
  static let json = Flag("json", "Print one JSON object.")

  static let command = Command(
    "show", "Show board, version, place and signature of an image",
    discussion: """
      Exits with 1 if the bytes are not those of the header or, with '--key', if the signature is not by this key. \
      'openssl pkey -in key.pem -pubout -out public.pem' writes the public key.
      """,
    parameters: [.positional(image), .option(key), .flag(json)]
  ) { arguments, console throws(CommandFailure) in
    let file = try FirmwareFile(path: arguments[image][0])
    let header = file.header
    var open: Ed25519Key?
    if let path = arguments[key] { open = try PublicKeyFile.key(path: path) }
    let problem = refusal(of: file, open)
    let name = String(decoding: (4..<20).map { header.bytes[$0] }.filter { $0 != 0 }, as: UTF8.self)
    let place = LinkedImage.hexadecimal(Int(header.place))
    let signedBy = FirmwareCommand.hexadecimal((96..<104).map { header.bytes[$0] })
    let reason = problem.map { "\($0.name)" }
    if arguments[json] {
      console.out.writeLine(
        "{\"board\":\(json5Quoted(name)),\"version\":\"\(VersionText(header.version))\",\"place\":\"\(place)\","
          + "\"length\":\(header.length),\"bytes\":\(file.content.count),\"key\":\"\(signedBy)\","
          + "\"signature\":\(open.map { header.isSigned(by: $0) ? "true" : "false" } ?? "null"),"
          + "\"refusal\":\(reason.map { "\"\($0)\"" } ?? "null")}")
    } else {
      console.out.writeLine("board      \(name)")
      console.out.writeLine("version    \(VersionText(header.version))")
      console.out.writeLine("place      \(place)")
      console.out.writeLine("length     \(header.length) bytes")
      console.out.writeLine("key        \(signedBy)…")
      console.out.writeLine("signature  \(open == nil ? "not checked: no --key" : problem == nil ? "ok" : "see below")")
    }
    guard let problem else { return .success }
    console.err.writeLine("\(arguments[image][0]): \(words(problem, file))")
    return .checkFailed
  }

  /// The first thing that a board would find wrong in it, whatever board.
  private static func refusal(of file: FirmwareFile, _ open: Ed25519Key?) -> UpdateRefusal? {
    if Int(file.header.length) != file.content.count { return .length }
    if let open {
      if !file.header.names(open) { return .key }
      if !file.header.isSigned(by: open) { return .signature }
    }
    var hash = SHA512()
    hash.update(file.content.span)
    return file.header.hasDigest(hash.finish()) ? nil : .content
  }

  private static func words(_ refusal: UpdateRefusal, _ file: FirmwareFile) -> String {
    switch refusal {
    case .length: "length: its header tells \(file.header.length) bytes, the file has \(file.content.count)"
    case .key: "key: it was signed with another key"
    case .signature: "signature: it is not by this key, or the header was changed"
    default: "content: its bytes are not those that were signed"
    }
  }
}

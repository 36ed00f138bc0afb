/// A file of the page. All of them are in the program itself, so that one binary is all there is to install.
struct PageFile {
  /// Media type.
  let type: String
  /// Content.
  let bytes: [UInt8]

  private init(_ type: String, _ text: String) {
    self.type = type
    bytes = Array(text.utf8)
  }

  /// By path.
  static let all: [String: PageFile] = [
    "/": PageFile("text/html; charset=utf-8", PageSource.document),
    "/page.css": PageFile("text/css; charset=utf-8", PageSource.style),
    "/page.js": PageFile("text/javascript; charset=utf-8", PageSource.script),
    "/icon.svg": PageFile("image/svg+xml", PageSource.icon),
  ]
}

/// The text of the page's files.
enum PageSource {
  /// Everything that runs in the browser, in one scope.
  static let script =
    "\"use strict\";\n(() => {\n"
    + [basics, view, words, status, devices, happenings, curves, projection, map, polling].joined(separator: "\n")
    + "})();\n"
}

import Glibc

/// A file of the page.
struct PageFile {
  /// Name in the folder of the page.
  let name: String
  /// As it was when the program was built.
  let built: [UInt8]

  /// All files, as `Package.swift` lists them.
  static let all: [PageFile] = [
    PageFile(name: "page.html", built: PackageResources.page_html),
    PageFile(name: "page.css", built: PackageResources.page_css),
    PageFile(name: "page.js", built: PackageResources.page_js),
    PageFile(name: "icon.svg", built: PackageResources.icon_svg),
    PageFile(name: "alarmform.js", built: PackageResources.alarmform_js),
    PageFile(name: "alarmtext.js", built: PackageResources.alarmtext_js),
    PageFile(name: "asking.js", built: PackageResources.asking_js),
    PageFile(name: "canvas.js", built: PackageResources.canvas_js),
    PageFile(name: "curves.js", built: PackageResources.curves_js),
    PageFile(name: "devices.js", built: PackageResources.devices_js),
    PageFile(name: "dom.js", built: PackageResources.dom_js),
    PageFile(name: "draft.js", built: PackageResources.draft_js),
    PageFile(name: "drawing.js", built: PackageResources.drawing_js),
    PageFile(name: "fields.js", built: PackageResources.fields_js),
    PageFile(name: "happenings.js", built: PackageResources.happenings_js),
    PageFile(name: "hits.js", built: PackageResources.hits_js),
    PageFile(name: "known.js", built: PackageResources.known_js),
    PageFile(name: "map.js", built: PackageResources.map_js),
    PageFile(name: "numbers.js", built: PackageResources.numbers_js),
    PageFile(name: "openings.js", built: PackageResources.openings_js),
    PageFile(name: "projection.js", built: PackageResources.projection_js),
    PageFile(name: "rides.js", built: PackageResources.rides_js),
    PageFile(name: "rules.js", built: PackageResources.rules_js),
    PageFile(name: "ruletext.js", built: PackageResources.ruletext_js),
    PageFile(name: "sha256.js", built: PackageResources.sha256_js),
    PageFile(name: "shapeform.js", built: PackageResources.shapeform_js),
    PageFile(name: "signature.js", built: PackageResources.signature_js),
    PageFile(name: "status.js", built: PackageResources.status_js),
    PageFile(name: "vocabulary.js", built: PackageResources.vocabulary_js),
    PageFile(name: "words.js", built: PackageResources.words_js),
    PageFile(name: "world.css", built: PackageResources.world_css),
    PageFile(name: "world.html", built: PackageResources.world_html),
    PageFile(name: "world.js", built: PackageResources.world_js),
    PageFile(name: "worldlist.js", built: PackageResources.worldlist_js),
    PageFile(name: "worldmap.js", built: PackageResources.worldmap_js),
    PageFile(name: "worldtime.js", built: PackageResources.worldtime_js),
    PageFile(name: "worldwords.js", built: PackageResources.worldwords_js),
  ]

  /// The file of a path in a request; nil when there is none.
  ///
  /// - Parameter isWorld: The document is that of a simulated life, and not that of a tracker.
  static func at(_ path: String, isWorld: Bool = false) -> PageFile? {
    let name = path == "/" ? isWorld ? "world.html" : "page.html" : String(path.dropFirst())
    return path.hasPrefix("/") ? all.first { $0.name == name } : nil
  }

  /// Media type, by the end of the name.
  var type: String {
    if name.hasSuffix(".html") { return "text/html; charset=utf-8" }
    if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
    return name.hasSuffix(".svg") ? "image/svg+xml" : "text/javascript; charset=utf-8"
  }

  /// The file as it is in a folder now, for whoever works on it; nil when it can't be read.
  func bytes(in folder: String) -> [UInt8]? {
    guard let file = fopen("\(folder)/\(name)", "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = fread(&block, 1, block.count, file)
      guard count > 0 else { return ferror(file) == 0 ? bytes : nil }
      bytes += block[..<count]
    }
  }
}

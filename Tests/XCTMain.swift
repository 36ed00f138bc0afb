import Testing

/// The entry point of all tests. As there are none for XCTest, the package manager needs no index of the sources to find them, and
/// a build without an index takes a sixth less time.
@main struct TestRunner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}

/// The version of this source tree.
package enum Version {
  /// Semantic version; ends in `-dev` between releases.
  package static let number = "0.1.0-dev"

  /// How the program was built: affects speed only.
  static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// The instruction set it was built for.
  static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      "other"
    #endif
  }
}

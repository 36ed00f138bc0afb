import Foundation

/// An authority of one's own and a certificate for `localhost` of it, in files that go away with the value.
package final class ServerCertificate {
  private let folder: ServerFolder
  /// The authority's certificate, which clients are to trust.
  package var authorityPath: String { folder.path + "/authority.pem" }
  /// The server's certificate.
  package var path: String { folder.path + "/certificate.pem" }
  /// Its key.
  package var keyPath: String { folder.path + "/key.pem" }

  /// nil when there is no openssl on this machine.
  ///
  /// - Parameter name: What the certificate is for.
  package init?(name: String = "localhost") throws {
    guard let openssl = serverProgram("/usr/bin/openssl", package: "openssl") else { return nil }
    folder = try ServerFolder()
    let authorityKey = folder.path + "/authority-key.pem"
    let request = folder.path + "/request.pem"
    let extensions = try folder.write("subjectAltName=DNS:\(name)\n", to: "extensions")
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    let steps = [
      ["req", "-x509"] + curve + [
        "-days", "2", "-subj", "/CN=Leash test authority", "-keyout", authorityKey, "-out", authorityPath,
      ],
      ["req"] + curve + ["-subj", "/CN=\(name)", "-keyout", keyPath, "-out", request],
      [
        "x509", "-req", "-in", request, "-CA", authorityPath, "-CAkey", authorityKey, "-CAcreateserial", "-days", "2",
        "-extfile", extensions, "-out", path,
      ],
    ]
    for step in steps { guard try runProgram(openssl, step) else { throw POSIXError(.EINVAL) } }
    // A server that is started as root gives up being it.
    for file in [path, keyPath, authorityPath] {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    }
  }
}

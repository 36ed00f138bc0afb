import Glibc

/// The same calls as a program of this machine, to compare the fingerprints; exits with 1 when an expectation fails.
@main enum Host {
  static func main() {
    var run = CoreRun()
    run.all()
    if run.failures.count > 0 {
      let text = (0..<run.failures.textCount).map { run.failures[$0] }
      print(String(decoding: text, as: UTF8.self))
      exit(1)
    }
    let digits = String(run.fingerprint, radix: 16)
    print(String(repeating: "0", count: 8 - digits.count) + digits)
  }
}

/// The same calls as a program of this machine, to compare the fingerprints.
@main enum Host {
  static func main() {
    var run = CoreRun()
    run.all()
    let digits = String(run.fingerprint, radix: 16)
    print(String(repeating: "0", count: 8 - digits.count) + digits)
    if run.failureCode != 0 { preconditionFailure("expectation \(run.failureCode)") }
  }
}

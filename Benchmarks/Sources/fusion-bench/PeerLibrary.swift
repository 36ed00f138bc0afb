import FusionEvaluation
import Glibc

/// A shared library that runs other attitude filters; its interface is `FusionPeers/peer.h`.
final class PeerLibrary {
  typealias Open =
    @convention(c) (UnsafePointer<Double>, UnsafePointer<Double>, UnsafePointer<Double>, Int, Double) ->
    UnsafeMutableRawPointer?

  let count: Int
  fileprivate let nameOf: @convention(c) (Int) -> UnsafePointer<CChar>
  fileprivate let bytesOf: @convention(c) (Int) -> Int
  fileprivate let stateBytesOf: @convention(c) (Int) -> Int
  fileprivate let hasRestOf: @convention(c) (Int) -> CInt
  fileprivate let open: Open
  fileprivate let run: @convention(c) (UnsafeMutableRawPointer, Int, CInt, CInt) -> Void
  fileprivate let quaternions: @convention(c) (UnsafeRawPointer, UnsafeMutablePointer<Double>) -> Void
  fileprivate let rest: @convention(c) (UnsafeRawPointer, UnsafeMutablePointer<UInt8>) -> Void
  fileprivate let close: @convention(c) (UnsafeMutableRawPointer) -> Void

  init(path: String) throws {
    // Local, because the single and the double precision library define the same symbols.
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw Failure(environment: "cannot open \(path): \(dlerror().map { String(cString: $0) } ?? "no reason given")")
    }
    func find<Function>(_ name: String, as type: Function.Type) throws -> Function {
      guard let symbol = dlsym(handle, name) else {
        throw Failure(environment: "\(path) has no function \(name); delete it and build it again")
      }
      return unsafeBitCast(symbol, to: type)
    }
    count = try find("peer_count", as: (@convention(c) () -> Int).self)()
    nameOf = try find("peer_name", as: (@convention(c) (Int) -> UnsafePointer<CChar>).self)
    bytesOf = try find("peer_bytes", as: (@convention(c) (Int) -> Int).self)
    stateBytesOf = try find("peer_state_bytes", as: (@convention(c) (Int) -> Int).self)
    hasRestOf = try find("peer_has_rest", as: (@convention(c) (Int) -> CInt).self)
    open = try find("peer_open", as: Open.self)
    run = try find("peer_run", as: (@convention(c) (UnsafeMutableRawPointer, Int, CInt, CInt) -> Void).self)
    quaternions = try find(
      "peer_quaternions", as: (@convention(c) (UnsafeRawPointer, UnsafeMutablePointer<Double>) -> Void).self)
    rest = try find("peer_rest", as: (@convention(c) (UnsafeRawPointer, UnsafeMutablePointer<UInt8>) -> Void).self)
    close = try find("peer_close", as: (@convention(c) (UnsafeMutableRawPointer) -> Void).self)
  }

  /// What can be run in this library.
  var contenders: [Contender] {
    (0..<count).map { algorithm in
      let bytes = bytesOf(algorithm)
      return Contender(
        name: String(cString: nameOf(algorithm)),
        size: bytes == 0 ? nil : Contender.Size(whole: bytes, state: stateBytesOf(algorithm)),
        hasRest: hasRestOf(algorithm) != 0
      ) { trial, axes in PeerRun(self, algorithm: algorithm, trial: trial, axes: axes) }
    }
  }
}

/// One trial, ready to be run through a peer.
private final class PeerRun: FilterRun {
  let library: PeerLibrary
  let algorithm: Int
  let axes: Axes
  let count: Int
  let recording: UnsafeMutableRawPointer?

  init(_ library: PeerLibrary, algorithm: Int, trial: OrientationTrial, axes: Axes) {
    self.library = library
    self.algorithm = algorithm
    self.axes = axes
    count = trial.count
    recording = library.open(
      trial.angularRate, trial.specificForce, trial.magneticFluxDensity, trial.count, trial.period)
  }

  deinit { if let recording { library.close(recording) } }

  func run() { if let recording { library.run(recording, algorithm, axes == .nine ? 1 : 0, 0) } }

  func estimates() -> Estimates {
    var quaternions = [Double](repeating: .nan, count: 4 * count)
    var rest = [UInt8](repeating: 0, count: count)
    guard let recording else { return Estimates(quaternions: quaternions, isAtRest: rest.map { $0 != 0 }) }
    library.run(recording, algorithm, axes == .nine ? 1 : 0, 1)
    library.quaternions(recording, &quaternions)
    library.rest(recording, &rest)
    return Estimates(quaternions: quaternions, isAtRest: rest.map { $0 != 0 })
  }
}

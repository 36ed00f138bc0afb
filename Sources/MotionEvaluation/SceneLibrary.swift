import Glibc
import Quantities
import Recording
import TrackerRuntime

/// Where the recordings of scenes are: in the repository, and where there is one, in a folder beside it (`data:`).
package struct SceneLibrary: Sendable {
  private let repository: String
  private let data: String

  /// - Parameters:
  ///   - repository: Folder that holds `fixtures`.
  ///   - data: Folder of recordings that are not part of it.
  package init(repository: String, data: String) {
    self.repository = repository
    self.data = data
  }

  /// Where a file is that a scene names: beginning with `/` just there, with `data:` in that folder, else in the repository.
  func path(_ file: String) -> String {
    if file.hasPrefix("/") { return file }
    return file.hasPrefix("data:") ? data + "/" + file.dropFirst(5) : repository + "/" + file
  }

  /// The first recording of a scene that is missing, with its path; nil when all are there.
  package func missingRecording(of scene: EvaluatedScene) -> String? {
    (scene.recordings.map(\.file) + [scene.noise].compactMap(\.self)).map(path).first(where: isMissing)
  }

  /// True when there is no such file.
  func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 }

  func open(_ file: String) throws(RecordingError) -> any RecordingImporter {
    let path = path(file)
    guard !isMissing(path) else {
      throw RecordingError(kind: .system(code: ENOENT), file: path, found: "no such recording")
    }
    return try openRecording(path)
  }

  /// What a sensor at rest showed about its mean.
  func noise(_ file: String) throws(RecordingError) -> [(angularRate: Vector3, specificForce: Vector3)] {
    let recording = try open(file)
    var samples: [(angularRate: Vector3, specificForce: Vector3)] = []
    var sums = (x: [Double](repeating: 0, count: 6), count: 0.0)
    while let input = try recording.next() {
      guard case .inertial(let sample) = input, let rate = sample.angularRate, let force = sample.specificForce else {
        continue
      }
      samples.append((rate, force))
      for (place, value) in [rate.x, rate.y, rate.z, force.x, force.y, force.z].enumerated() {
        sums.x[place] += Double(value)
      }
      sums.count += 1
    }
    guard sums.count > 0 else { return [] }
    let mean = sums.x.map { Float($0 / sums.count) }
    return samples.map {
      ($0.angularRate - Vector3(mean[0], mean[1], mean[2]), $0.specificForce - Vector3(mean[3], mean[4], mean[5]))
    }
  }
}

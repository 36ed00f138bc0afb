import MotionEvaluation
import Recording
import TrackerRuntime

/// `leash simulate --compare`: the vehicles of the simulation beside recordings of real ones.
enum RealityReport {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    let folder = arguments[SimulateCommand.data] ?? SceneFiles.recordings(beside: ".")
    let library = SceneLibrary(repository: ".", data: folder)
    var results: [RealityResult] = []
    for motion in RealityClass.all {
      do throws(RecordingError) {
        results.append(try motion.compare(in: library))
      } catch {
        throw .environment(error.description)
      }
    }
    if let path = arguments[SimulateCommand.draw] {
      do throws(RecordingError) {
        let target = try ByteTarget(path: path)
        try target.append(RealityDrawing.svg(results))
        try target.close()
      } catch {
        throw .environment(error.description)
      }
    }
    console.out.write(RealityTable(results).markdown)
    return .success
  }
}

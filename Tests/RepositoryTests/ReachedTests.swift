import Foundation
import OtherPrograms
import Testing

/// What a figure of the docs depends on, as `scripts/docs.py` finds it; the cases are in `reached_test.py`.
@Test func aFigureDependsOnWhatItsCommandCanReach() throws {
  let cases = Repository.root.appending(path: "Tests/RepositoryTests/reached_test.py").path
  let run = try OtherProgram.output(of: ["/usr/bin/env", "python3", "-B", cases])
  #expect(run.status == 0 && run.err.contains("Ran 6 tests"), "\(run.err)")
}

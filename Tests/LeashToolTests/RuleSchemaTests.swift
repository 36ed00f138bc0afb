import Foundation
import LinuxRuntime
import OtherPrograms
import SkippedTests
import Testing

@testable import LeashTool

/// Files of rules as JSON, and whether they are right; what only the reader can know (outlines, equal numbers) is not among them.
private let samples: [(isRight: Bool, text: String)] =
  [
    (true, "{}"), (false, "[]"), (false, "{\"fence\": []}"), (true, "{\"timeZone\": \"UTC\"}"),
    (false, "{\"timeZone\": 3}"), (true, "{\"$schema\": \"rules.schema.json\", \"fences\": []}"),
    (true, "{\"fences\": [], \"places\": [], \"alarms\": []}"), (false, "{\"fences\": {}}"),
    (false, "{\"$schema\": 1e300}"),
  ]
  + [(true, " mon"), (true, "mon,wed "), (true, "mon + wed"), (false, "mon,"), (false, "mon wed")].map {
    isRight, days in
    (isRight, "{\"alarms\": [{\"number\": 1, \"label\": \"a\", \"at\": \"07:30\", \"days\": \"\(days)\"}]}")
  }
  + [
    (true, "\"circle\": {\"latitude\": 90, \"longitude\": -180, \"radius\": 1}"),
    (false, "\"circle\": {\"latitude\": 90.1, \"longitude\": -180, \"radius\": 1}"),
    (false, "\"circle\": {\"latitude\": 90, \"longitude\": -180.1, \"radius\": 1}"),
    (false, "\"circle\": {\"latitude\": 90, \"longitude\": -180, \"radius\": 0.9}"),
    (false, "\"circle\": {\"latitude\": 90, \"longitude\": -180}"),
    (false, "\"circle\": {\"latitude\": 90, \"longitude\": -180, \"radius\": 1, \"colour\": 1}"),
    (false, "\"circle\": {\"latitude\": 90, \"longitude\": -180, \"radius\": 1}, \"holes\": []"),
    (true, "\"active\": true, \"polygon\": [[52.1, 4.1], [52.2, 4.1], [52.2, 4.2]]"),
    (true, "\"polygon\": [[52, 4], [52, 5], [53, 5], [53, 4]], \"holes\": [[[52.4, 4.4], [52.4, 4.6], [52.6, 4.5]]]"),
    (false, "\"active\": 1, \"polygon\": [[52.1, 4.1], [52.2, 4.1], [52.2, 4.2]]"),
    (false, "\"polygon\": [[52.1], [52.2, 4.1], [52.2, 4.2]]"),
    (false, "\"polygon\": [[91, 4.1], [52.2, 4.1], [52.2, 4.2]]"),
    (false, "\"polygon\": [[52.1, 4.1, 3], [52.2, 4.1], [52.2, 4.2]]"), (false, "\"polygon\": 3"),
    (false, "\"polygon\": [[52.1, 4.1], [52.2, 4.1]]"),
    (false, "\"polygon\": [[52, 4], [52, 5], [53, 5], [53, 4]], \"holes\": [[[52.4, 4.4], [52.4, 4.6]]]"),
    (false, "\"polygon\": [[52, 4], [52, 5], [53, 5]], \"holes\": [[], []]"),
    (false, "\"corridor\": {\"width\": 30, \"points\": [[52.1, 4.1]]}"),
    (false, "\"active\": true"),
    (true, "\"corridor\": {\"width\": 30, \"points\": [[52.1, 4.1], [52.2, 4.1]]}"),
    (false, "\"corridor\": {\"points\": [[52.1, 4.1], [52.2, 4.1]]}"),
  ].map { ($0, "{\"fences\": [{\"number\": 1, \"name\": \"a\", \($1)}]}") }
  + [
    (true, "\"at\": \"07:30\""), (true, "\"at\": \"23:59\", \"days\": \"weekend\", \"inside\": 1, \"noFix\": \"skip\""),
    (
      true,
      "\"at\": \"07:30\", \"days\": [\"mon\", \"sun\"], \"outside\": 255, \"sound\": 0, \"snooze\": 120, \"enabled\": false"
    ),
    (true, "\"at\": \"07:30\", \"days\": \"2026-12-24\""), (false, "\"at\": \"24:00\""), (false, "\"at\": \"7:30\""),
    (false, "\"at\": \"07:30\", \"days\": \"sunday\""), (false, "\"at\": \"07:30\", \"days\": []"),
    (false, "\"at\": \"07:30\", \"inside\": 1, \"outside\": 1"), (false, "\"at\": \"07:30\", \"sound\": 3601"),
    (false, "\"at\": \"07:30\", \"snooze\": 0"), (false, "\"at\": \"07:30\", \"inside\": 0"),
    (false, "\"at\": \"07:30\", \"from\": \"08:00\", \"to\": \"09:00\""),
    (false, "\"at\": \"07:30\", \"when\": \"quiet\""),
    (true, "\"when\": \"quiet\", \"from\": \"22:00\", \"to\": \"06:00\", \"days\": \"daily\""),
    (true, "\"when\": \"guard\""),
    (false, "\"when\": \"quiet\", \"from\": \"22:00\""), (false, "\"when\": \"quiet\", \"days\": \"daily\""),
    (false, "\"when\": \"quiet\", \"from\": \"22:00\", \"to\": \"06:00\", \"days\": \"2026-12-24\""),
    (true, "\"when\": \"arrive\", \"inside\": 1"), (false, "\"when\": \"arrive\""),
    (false, "\"when\": \"leave\", \"outside\": 1"),
    (true, "\"stay\": 20, \"inside\": 1"), (false, "\"stay\": 20"), (false, "\"stay\": 1441, \"inside\": 1"),
    (false, "\"days\": \"daily\""),
    (false, "\"when\": \"never\""), (false, "\"at\": \"07:30\", \"noFix\": \"maybe\""),
  ].map { ($0, "{\"alarms\": [{\"number\": 1, \"label\": \"a\", \($1)}]}") }
  + [
    (true, "\"radius\": 60, \"number\": 255"), (false, "\"radius\": 60, \"number\": 256"),
    (false, "\"radius\": 60, \"number\": 1.5"),
    (false, "\"number\": 3"), (false, "\"radius\": \"60\", \"number\": 1"),
  ].map { ($0, "{\"places\": [{\"name\": \"a\", \"latitude\": 52, \"longitude\": 4, \($1)}]}") }

struct RuleSchemaTests {
  @Test func theReaderTakesWhatIsRightAndNothingElse() {
    for (isRight, text) in samples {
      let isTaken = (try? RuleFile(text: Array(text.utf8), name: "f")) != nil
      #expect(isTaken == isRight, "\(text)")
    }
  }

  @Test func theSchemaHasEveryKeyOfTheReaderAndNoOther() throws {
    let run = ToolRun("rules", "schema")
    #expect(run.code == .success && run.out == RuleSchema.json)
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any])
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    let members = Set((schema["properties"] as? [String: Any] ?? [:]).keys)
    #expect(members == Set(RuleKeys.file).union(["$schema"]), "by which an editor finds it")
    for (name, keys) in [("fence", RuleKeys.fence), ("place", RuleKeys.place), ("alarm", RuleKeys.alarm)] {
      let definition = try #require(definitions[name])
      var names: Set<String> = []
      for (property, content) in definition["properties"] as? [String: [String: Any]] ?? [:] {
        let inner = (content["properties"] as? [String: Any])?.keys.map { "\(property).\($0)" } ?? [property]
        names.formUnion(inner)
      }
      #expect(names == Set(keys.map(\.name)), "\(name)")
      #expect(Set(definition["required"] as? [String] ?? []) == Set(keys.filter(\.isRequired).map(\.name)), "\(name)")
    }
  }

  @Test func anotherReaderOfSchemasJudgesTheSamplesAlike() throws {
    let folder = try TemporaryFolder()
    let schema = try folder.file("schema.json", RuleSchema.json)
    let list = try folder.file("samples.json", "[\(samples.map(\.text).joined(separator: ",\n"))]")
    let program = """
      import json, sys
      from jsonschema import Draft202012Validator as V
      schema = json.load(open(sys.argv[1]))
      V.check_schema(schema)
      print("".join("1" if V(schema).is_valid(x) else "0" for x in json.load(open(sys.argv[2]))))
      """
    let run = try OtherProgram.output(of: ["/usr/bin/env", "python3", "-c", program, schema, list])
    guard run.status == 0 else {
      noteSkipped("there is no jsonschema for python3; the Debian package python3-jsonschema has it")
      return
    }
    let verdicts = run.out.filter { $0 == "0" || $0 == "1" }.map { $0 == "1" }
    try #require(verdicts.count == samples.count)
    for (sample, verdict) in zip(samples, verdicts) { #expect(verdict == sample.isRight, "\(sample.text)") }
  }
}

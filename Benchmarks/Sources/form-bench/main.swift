import BenchmarkHarness
import Glibc

// form-bench [ROUNDS]                 the table of times, in Markdown
// form-bench --keys                   the key of each message, the bytes and the name of its row
// form-bench --count KEY WHO REPEATS  one message, by `ours` or `peer`, for instruction and allocation counts
let words = Array(CommandLine.arguments.dropFirst())
let contests = Contest.all
for contest in contests where contest.bytes.ours != contest.bytes.peer || contest.bytes.ours.isEmpty {
  print("form-bench: the bytes of \(contest.key) differ, so that there is nothing to compare:")
  print(String(decoding: contest.bytes.ours, as: UTF8.self))
  print(String(decoding: contest.bytes.peer, as: UTF8.self))
  exit(1)
}

if words.count == 4, words[0] == "--count", let repeats = Int(words[3]) {
  guard let contest = contests.first(where: { $0.key == words[1] }) else { exit(2) }
  let body = words[2] == "peer" ? contest.peer : contest.ours
  for _ in 0..<repeats { keepAlive(Int64(body())) }
} else if words == ["--keys"] {
  for contest in contests {
    print("\(contest.key)\t\(contest.bytes.ours.count)\t\(contest.form)\t\(contest.packet)")
  }
} else {
  let rounds = words.first.flatMap { Int($0) } ?? 15
  let repeats = 20_000
  print("| form | packet | bytes | C, ns | ours, ns | time against C |")
  print("|---|---|---:|---:|---:|---:|")
  for contest in contests {
    let group = BenchmarkGroup(
      contest.form, byteCount: contest.bytes.ours.count * repeats, itemName: "packet", itemCount: repeats,
      cases: [contest.peer, contest.ours].map { body in
        BenchmarkCase("", key: "") {
          var sum: Int64 = 0
          for _ in 0..<repeats { sum &+= Int64(body()) }
          return sum
        }
      })
    let times = group.times(rounds: rounds)
    print(
      "| \(contest.form) | \(contest.packet) | \(contest.bytes.ours.count) | \(fixed(times[0].nanoseconds, 0))"
        + " | \(fixed(times[1].nanoseconds, 0)) | \(fixed(times[1].ratio, 2)) |")
  }
}

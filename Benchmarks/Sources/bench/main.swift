import BenchmarkHarness
import Foundation

// bench DATA [ROUNDS]              the table
// bench DATA --count CASE REPEATS  one case, for instruction and allocation counts; prints the bytes of one run
let words = Array(CommandLine.arguments.dropFirst())
guard let folder = words.first else {
  print("bench: the folder of the NMEA logs is missing")
  exit(2)
}

func allGroups(loadSize: Int) throws -> (SentenceLoad, [BenchmarkGroup]) {
  let load = try SentenceLoad(folder: folder, size: loadSize)
  guard load.sentenceCount > 0 else {
    print("bench: no usable sentence in \(folder)")
    exit(3)
  }
  return (load, [sentenceGroup(load), writerGroup()])
}

if words.count == 4, words[1] == "--count", let repeats = Int(words[3]) {
  let (_, groups) = try allGroups(loadSize: 1)
  for group in groups {
    for one in group.cases where one.key == words[2] {
      for _ in 0..<repeats { keepAlive(one.body()) }
      print(group.byteCount)
    }
  }
} else {
  let rounds = words.count > 1 ? Int(words[1]) ?? 15 : 15
  let (load, groups) = try allGroups(loadSize: 8_000_000)
  let mix = load.mix.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  print("Load: \(load.bytes.count) bytes, \(load.sentenceCount) sentences of real receivers, repeated from \(mix).")
  print(
    sameWork(load)
      ? "Same numbers from C and Swift: yes." : "SAME NUMBERS FROM C AND SWIFT: NO, the comparison is void.")
  for group in groups {
    print("\n" + group.header)
    for line in group.measure(rounds: rounds) { print(line) }
  }
}

import ModemSimulation
import Quantities
import Testing

@Suite struct CommandLineTests {
  @Test func aPlainATIsAnsweredAndEchoed() {
    var bench = Bench.running()
    _ = bench.exchange("ATE1")
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
  }

  @Test(arguments: ["at", "At", "aT", "AT"]) func thePrefixMayHaveAnyCase(prefix: String) {
    var bench = Bench.running()
    #expect(bench.exchange(prefix) == lines("OK"))
  }
}

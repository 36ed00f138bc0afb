import Glibc
import LinuxDevices
import Quantities
import Testing

@Test func stopAndReloadAreToldApart() throws {
  let signals = try RunSignals()
  #expect(signals.next() == nil)
  // To this thread alone, which has them blocked now.
  for (number, meaning) in [(SIGHUP, RunSignal.reload), (SIGTERM, .stop), (SIGINT, .stop)] {
    #expect(pthread_kill(pthread_self(), number) == 0)
    #expect(isReadableSoon(signals.descriptor))
    #expect(signals.next() == meaning)
    #expect(signals.next() == nil)
  }
  // One that nobody has taken yet does not end the process when the signals are let go.
  #expect(pthread_kill(pthread_self(), SIGHUP) == 0)
}

@Test func aWriteToAClosedPipeIsAnErrorAndNoDeath() {
  ProcessSignals.ignoreWriteSignals()
  var ends: [Int32] = [-1, -1]
  #expect(pipe(&ends) == 0)
  close(ends[0])
  var byte: UInt8 = 0
  #expect(write(ends[1], &byte, 1) == -1 && errno == EPIPE)
  close(ends[1])
}

@Test func aFileAtItsLimitIsAnErrorAndNoDeath() {
  ProcessSignals.ignoreWriteSignals()
  // The signal itself, as the kernel sends it: the limit holds for the whole process and would hit other tests.
  #expect(pthread_kill(pthread_self(), SIGXFSZ) == 0)
}

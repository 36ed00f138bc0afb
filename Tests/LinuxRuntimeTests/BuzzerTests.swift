import FoundationEssentials
import Glibc
import LinuxDevices
import Quantities
import Testing
import TrackerCore

@testable import LinuxRuntime

/// A buzzer that notes when it was switched.
private final class NotedSound: SoundMaker {
  let now: () -> Instant
  private(set) var notes: [(time: Double, isOn: Bool)] = []
  var text: String { notes.map { "\($0.isOn ? "+" : "-")\($0.time)" }.joined(separator: " ") }

  init(_ now: @escaping () -> Instant) { self.now = now }

  func set(isOn: Bool) { notes.append((now().secondsDouble, isOn)) }
}

/// A loop with nothing but a buzzer in it.
private final class SilentLoop {
  let clock = VirtualClock()
  let loop: EventLoop
  let sound: NotedSound
  let buzzer: Buzzer

  init() throws {
    let clock = clock
    loop = try EventLoop(clock: clock)
    sound = NotedSound { clock.now }
    buzzer = Buzzer(sound)
    loop.add(buzzer)
  }

  func live(until end: Instant) { while clock.now < end { loop.turn(until: end) } }
}

struct BuzzerTests {
  @Test func aSteadySoundLastsAsLongAsItIsAsked() throws {
    let board = try SilentLoop()
    board.buzzer.sound(.steady, for: .milliseconds(2500), at: .zero)
    board.live(until: .seconds(10))
    #expect(board.sound.text == "+0.0 -2.5")
    board.buzzer.sound(.steady, for: .seconds(1), at: .seconds(10))
    board.live(until: .seconds(20))
    #expect(board.sound.text == "+0.0 -2.5 +10.0 -11.0", "a second time")
  }

  @Test func aPulseIsHalfASecondInEachSecondAndEndsInTime() throws {
    let board = try SilentLoop()
    board.buzzer.sound(.pulse, for: .milliseconds(2250), at: .zero)
    board.live(until: .seconds(10))
    #expect(board.sound.text == "+0.0 -0.5 +1.0 -1.5 +2.0 -2.25")
    board.buzzer.sound(.pulse, for: .milliseconds(500), at: .seconds(10))
    board.buzzer.sound(.pulse, for: .milliseconds(499), at: .seconds(10))
    board.live(until: .seconds(20))
    #expect(board.sound.text.hasSuffix(" +10.0 -10.499"))
  }

  @Test func aNewSoundTakesThePlaceOfTheOneBeforeAndAStopIsSilence() throws {
    let board = try SilentLoop()
    board.buzzer.sound(.steady, for: .seconds(100), at: .zero)
    board.live(until: .seconds(3))
    board.buzzer.sound(.steady, for: .seconds(1), at: .seconds(3))
    board.live(until: .seconds(10))
    #expect(board.sound.text == "+0.0 -4.0")
    board.buzzer.sound(.pulse, for: .seconds(100), at: .seconds(10))
    board.buzzer.stop()
    board.live(until: .seconds(20))
    #expect(board.sound.text == "+0.0 -4.0 +10.0 -10.0" && board.buzzer.nextDeadline == nil)
  }

  @Test func aSoundOfNoLengthIsSilenceAtOnceAndBeginsNothing() throws {
    let board = try SilentLoop()
    board.buzzer.sound(.steady, for: .zero, at: .zero)
    board.buzzer.sound(.pulse, for: .seconds(100), at: .zero)
    board.live(until: .milliseconds(200))
    board.buzzer.sound(.steady, for: .zero, at: board.clock.now)
    board.live(until: .seconds(10))
    #expect(board.sound.text == "+0.0 -0.2" && board.buzzer.nextDeadline == nil)
    board.buzzer.sound(.steady, for: Interval(microseconds: 1), at: .seconds(10))
    board.live(until: .seconds(11))
    #expect(board.sound.text == "+0.0 -0.2 +10.0 -10.000001", "the shortest that is one")

    let folder = try ScratchFolder()
    let place = folder.url.appending(path: "called").path
    let command = BuzzerCommand(
      try folder.file("buzz", "#!/bin/sh\necho \"$2\" >>\(place)\nexec sleep 600\n", mode: 0o700))
    let buzzer = Buzzer(command)
    buzzer.sound(.pulse, for: .seconds(600), at: .zero)
    let child = try #require(command.children.last)
    buzzer.sound(.steady, for: .zero, at: .zero)
    if let status = end(of: child) { #expect(status & 0x7F == SIGTERM) }
    #expect(command.children.last == nil || command.children.last == child, "no program is called for silence")
    buzzer.sound(.steady, for: .zero, at: .zero)
    #expect(command.children.isEmpty)
  }

  @Test func hushSilencesTheBuzzerOfTheBoard() throws {
    let board = VirtualBoard(try Folder(isInMemory: true))
    let clock = board.clock
    let sound = NotedSound { clock.now }
    board.sound = sound
    try board.start()
    let run = try #require(board.run)
    #expect(run.request("buzzer 60"))
    board.live(until: .seconds(1003))
    #expect(run.request("hush") && run.lastAnswer == "hushed")
    board.live(until: .seconds(1100))
    #expect(sound.text == "+1000.0 -1003.0")
    board.stop()
  }

  @Test func whatTheOwnerAsksForSoundsOnTheBoardAndEndsWithIt() throws {
    let board = VirtualBoard(try Folder(isInMemory: true))
    let clock = board.clock
    let sound = NotedSound { clock.now }
    board.sound = sound
    try board.start()
    let run = try #require(board.run)
    #expect(run.request("buzzer 2") && run.lastAnswer == "sounding")
    board.live(until: .seconds(1010))
    #expect(sound.text == "+1000.0 -1002.0")
    #expect(run.request("buzzer 60 pulse"))
    board.live(until: .seconds(1010) + .milliseconds(1200))
    board.stop()
    #expect(sound.text.hasSuffix(" +1011.0 -1011.2"), "a program that ends leaves no noise behind")
  }

  /// Waits for the end of a child.
  ///
  /// - Returns: What ended it as `waitpid` has it; nil when it was collected already.
  private func end(of child: pid_t) -> Int32? {
    var status: Int32 = 0
    return waitpid(child, &status, 0) == child ? status : nil
  }

  @Test func aCommandIsCalledWithPatternAndSeconds() throws {
    let folder = try ScratchFolder()
    let place = folder.url.appending(path: "called").path
    let command = BuzzerCommand(try folder.file("buzz", "#!/bin/sh\necho \"$1 $2\" >\(place)\n", mode: 0o700))
    let buzzer = Buzzer(command)
    for (pattern, duration, line) in [
      (SoundPattern.pulse, Interval.milliseconds(4200), "pulse 5\n"), (.steady, .seconds(3), "steady 3\n"),
    ] {
      buzzer.sound(pattern, for: duration, at: .zero)
      #expect(buzzer.nextDeadline == nil, "it keeps time by itself")
      #expect(end(of: try #require(command.children.last)) == 0)
      #expect(String(decoding: try Data(contentsOf: URL(fileURLWithPath: place)), as: UTF8.self) == line)
    }
  }

  @Test func aSecondSoundEndsTheProgramOfTheFirstAndTheEndOfTheBoardThatOfTheSecond() throws {
    // As the run loop has it.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let folder = try ScratchFolder()
    var command: BuzzerCommand? = BuzzerCommand(try folder.file("buzz", "#!/bin/sh\nexec sleep 600\n", mode: 0o700))
    #expect(command?.begin(.steady, for: .seconds(600)) == true)
    let first = try #require(command?.children.last)
    #expect(command?.begin(.steady, for: .seconds(600)) == true)
    let second = try #require(command?.children.last)
    #expect(second != first)
    if let status = end(of: first) { #expect(status & 0x7F == SIGTERM) }
    command = nil
    #expect(end(of: second).map { $0 & 0x7F } == SIGTERM)
  }

  @Test func aCommandThatIsNotThereIsSilence() {
    let buzzer = Buzzer(BuzzerCommand("/no/such/program"))
    buzzer.sound(.steady, for: .seconds(3), at: .zero)
    buzzer.sound(.steady, for: .seconds(3), at: .zero)
    #expect(buzzer.nextDeadline == nil)
  }

  @Test func theFileSaysWhatSounds() throws {
    #expect(try configuration("{}").configuration.buzzer == nil)
    #expect(
      try configuration("{ buzzer: { chip: 'gpiochip0', line: 18, inverted: true } }").configuration.buzzer
        == .line(ContactLine(chip: "gpiochip0", line: 18, isOnWhenHigh: false)))
    #expect(try configuration("{ buzzer: { command: '/bin/x' } }").configuration.buzzer == .command("/bin/x"))
    for text in [
      "{ buzzer: {} }", "{ buzzer: { chip: 'gpiochip0' } }", "{ buzzer: { line: 18 } }",
      "{ buzzer: { chip: 'gpiochip0', line: 18, command: '/bin/x' } }",
    ] {
      #expect(
        problems(text).map { String($0.dropFirst(5)) } == [
          "'buzzer': expected 'chip' and 'line', such as { chip: \"gpiochip0\", line: 18 }, or 'command' alone"
        ], "\(text)")
    }
  }
}

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
  @Test func aSteadySoundIsLongTonesWithSilencesAndLastsAsLongAsItIsAsked() throws {
    let board = try SilentLoop()
    board.buzzer.sound(.steady, for: .milliseconds(3000), from: .zero, at: .zero)
    board.live(until: .seconds(10))
    #expect(board.sound.text == "+0.0 -0.8 +1.4 -2.2 +2.8 -3.0")
    board.buzzer.sound(.steady, for: .seconds(1), from: .seconds(10), at: .seconds(10))
    board.live(until: .seconds(20))
    #expect(board.sound.text.hasSuffix(" +10.0 -10.8"), "a second time")
  }

  @Test func aPulseIsAShortToneInEachSecondAndEndsInTime() throws {
    let board = try SilentLoop()
    board.buzzer.sound(.pulse, for: .milliseconds(2250), from: .zero, at: .zero)
    board.live(until: .seconds(10))
    #expect(board.sound.text == "+0.0 -0.4 +1.0 -1.4 +2.0 -2.25")
    board.buzzer.sound(.pulse, for: .milliseconds(400), from: .seconds(10), at: .seconds(10))
    board.buzzer.sound(.pulse, for: .milliseconds(399), from: .seconds(10), at: .seconds(10))
    board.live(until: .seconds(20))
    #expect(board.sound.text.hasSuffix(" +10.0 -10.399"))
  }

  /// The detectors count from the time that the tracker was at.
  @Test func theBeatIsCountedFromTheBeginOfTheSoundHoweverLateTheBoardHearsOfIt() throws {
    let board = try SilentLoop()
    board.live(until: .milliseconds(300))
    board.buzzer.sound(.steady, for: .seconds(2), from: .zero, at: board.clock.now)
    board.live(until: .milliseconds(5900))
    #expect(board.sound.text == "+0.3 -0.8 +1.4 -2.0")
    board.buzzer.sound(.pulse, for: .seconds(2), from: .seconds(5), at: board.clock.now)
    board.live(until: .seconds(10))
    #expect(board.sound.text.hasSuffix(" -2.0 +6.0 -6.4"), "in a silence")
    // A clock of the tracker that is ahead.
    board.buzzer.sound(.steady, for: .seconds(1), from: .milliseconds(10_100), at: board.clock.now)
    board.live(until: .seconds(20))
    #expect(board.sound.text.hasSuffix(" -6.4 +10.1 -10.9"))
  }

  @Test func aNewSoundTakesThePlaceOfTheOneBeforeAndAStopIsSilence() throws {
    let board = try SilentLoop()
    board.buzzer.sound(.steady, for: .seconds(100), from: .zero, at: .zero)
    board.live(until: .milliseconds(3000))
    board.buzzer.sound(.steady, for: .seconds(1), from: .seconds(3), at: .seconds(3))
    board.live(until: .seconds(10))
    #expect(board.sound.text == "+0.0 -0.8 +1.4 -2.2 +2.8 -3.8")
    board.buzzer.sound(.pulse, for: .seconds(100), from: .seconds(10), at: .seconds(10))
    board.buzzer.stop()
    board.live(until: .seconds(20))
    #expect(board.sound.text.hasSuffix(" +10.0 -10.0") && board.buzzer.nextDeadline == nil)
  }

  @Test func aSoundOfNoLengthIsSilenceAtOnceAndBeginsNothing() throws {
    let board = try SilentLoop()
    board.buzzer.sound(.steady, for: .zero, from: .zero, at: .zero)
    board.buzzer.sound(.pulse, for: .seconds(100), from: .zero, at: .zero)
    board.live(until: .milliseconds(200))
    board.buzzer.sound(.steady, for: .zero, from: board.clock.now, at: board.clock.now)
    board.live(until: .seconds(10))
    #expect(board.sound.text == "+0.0 -0.2" && board.buzzer.nextDeadline == nil)
    board.buzzer.sound(.steady, for: Interval(microseconds: 1), from: .seconds(10), at: .seconds(10))
    board.live(until: .seconds(11))
    #expect(board.sound.text == "+0.0 -0.2 +10.0 -10.000001", "the shortest that is one")

    let folder = try ScratchFolder()
    let place = folder.url.appending(path: "called").path
    let command = BuzzerCommand(
      try folder.file("buzz", "#!/bin/sh\necho \"$2\" >>\(place)\nexec sleep 600\n", mode: 0o700))
    let buzzer = Buzzer(command)
    buzzer.sound(.pulse, for: .seconds(600), from: .zero, at: .zero)
    let child = try #require(command.children.last)
    buzzer.sound(.steady, for: .zero, from: .zero, at: .zero)
    if let status = end(of: child) { #expect(status & 0x7F == SIGTERM) }
    #expect(command.children.last == nil || command.children.last == child, "no program is called for silence")
    buzzer.sound(.steady, for: .zero, from: .zero, at: .zero)
    #expect(command.children.last == nil || command.children.last == child)
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
    #expect(sound.text == "+1000.0 -1000.8 +1001.4 -1002.2 +1002.8 -1003.0")
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
    #expect(sound.text == "+1000.0 -1000.8 +1001.4 -1002.0")
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

  @Test func aCommandIsCalledForEachToneWithPatternAndSeconds() throws {
    let folder = try ScratchFolder()
    let place = folder.url.appending(path: "called").path
    let command = BuzzerCommand(try folder.file("buzz", "#!/bin/sh\necho \"$1 $2\" >>\(place)\n", mode: 0o700))
    let buzzer = Buzzer(command)
    buzzer.sound(.pulse, for: .milliseconds(4200), from: .zero, at: .zero)
    #expect(end(of: try #require(command.children.last)) == 0)
    buzzer.advance(to: .milliseconds(400))
    buzzer.advance(to: .milliseconds(1000))
    #expect(end(of: try #require(command.children.last)) == 0)
    buzzer.sound(.steady, for: .seconds(3), from: .seconds(5), at: .seconds(5))
    buzzer.stop()
    buzzer.sound(.steady, for: .seconds(3), from: .seconds(5), at: .seconds(5))
    #expect(end(of: try #require(command.children.last)) == 0)
    let lines = String(decoding: try Data(contentsOf: URL(fileURLWithPath: place)), as: UTF8.self)
    #expect(lines.hasPrefix("pulse 1\npulse 1\n") && lines.hasSuffix("steady 1\n"), "\(lines)")
  }

  /// The pipe has no writer any more when the last of them has ended.
  @Test func theEndOfAToneEndsWhatTheProgramHasStartedToo() throws {
    let folder = try ScratchFolder()
    let pipe = folder.url.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let command = BuzzerCommand(
      try folder.file("buzz", "#!/bin/sh\nexec 3>\(pipe)\necho >&3\nsleep 600\nsleep 600\n", mode: 0o700))
    command.set(isOn: true)
    let descriptor = open(pipe, O_RDONLY)
    defer { close(descriptor) }
    var byte: UInt8 = 0
    #expect(read(descriptor, &byte, 1) == 1)
    command.set(isOn: false)
    #expect(read(descriptor, &byte, 1) == 0)
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
    command?.set(isOn: true)
    let first = try #require(command?.children.last)
    command?.set(isOn: true)
    let second = try #require(command?.children.last)
    #expect(second != first)
    if let status = end(of: first) { #expect(status & 0x7F == SIGTERM) }
    command = nil
    #expect(end(of: second).map { $0 & 0x7F } == SIGTERM)
  }

  @Test func aCommandThatIsNotThereIsSilence() {
    let buzzer = Buzzer(BuzzerCommand("/no/such/program"))
    for time in [Instant.zero, .seconds(1)] { buzzer.sound(.steady, for: .seconds(3), from: time, at: time) }
    buzzer.advance(to: .seconds(4))
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

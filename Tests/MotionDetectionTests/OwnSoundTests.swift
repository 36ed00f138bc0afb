import MotionDetection
import Quantities
import TestSupport
import Testing

/// The vehicle's own buzzer: its tones are nobody's work, and its silences hide nobody's.
@Suite struct OwnSoundTests {
  /// A buzzer on the board of a scene.
  private struct Board {
    var scene: Scene
    private var random = SeededRandom(seed: 5)
    private var begin = Instant.zero
    private var beat = SoundBeat.steady
    private var strength: Float = 0
    /// How late the board switches it, ms.
    var late = 60

    init(hertz: Int = 50, seed: UInt64 = 1) {
      scene = Scene(hertz: hertz, seed: seed)
      scene.parkByInertia()
    }

    /// It is about to sound, by so many m/s² per axis.
    mutating func begin(_ beat: SoundBeat = .steady, seconds: Int, by strength: Float, isTold: Bool = true) {
      (begin, self.beat, self.strength) = (scene.sensor.time, beat, strength)
      if isTold { scene.monitor.expectSound(beat, for: .seconds(seconds), at: begin) }
    }

    /// Time passes with the tone in it, which arrives as noise, and the work of somebody.
    mutating func pass(seconds: Double, work: Float = 0, rate: Vector3 = .zero, push: Vector3 = .zero) {
      let (begin, beat, strength, late) = (begin, beat, strength, late)
      var random = random
      let start = scene.sensor.time
      let step = 1.0 / Double(scene.sensor.hertz)
      scene.move(seconds: seconds, rate: rate) { index in
        let now = start + Interval(microseconds: Int64(Double(index + 1) * step * 1e6))
        let elapsed = (now - begin - .milliseconds(late)).microseconds
        let phase = elapsed % beat.period.microseconds
        let isOn = elapsed >= 0 && phase < beat.on.microseconds
        let tone = random.vector(deviation: isOn ? strength : 0)
        return tone + random.vector(deviation: work) + push
      }
      self.random = random
    }

    /// How long after `start` a movement was told; nil when none was.
    mutating func delay(since start: Instant) -> Interval? {
      scene.news().first { if case .movement = $0.event { true } else { false } }.map { $0.time - start }
    }
  }

  @Test(arguments: [(13, Float(0.3)), (25, 8), (50, 1.5), (100, 30)]) func itSetsNothingOff(hertz: Int, strength: Float)
  {
    for (isTold, beat) in [(true, SoundBeat.pulse), (true, .steady), (false, .pulse)] {
      var board = Board(hertz: hertz)
      board.begin(beat, seconds: 30, by: strength, isTold: isTold)
      board.pass(seconds: 30)
      board.scene.still(seconds: 60)
      let news = board.scene.news()
      // The other side: one that nobody has told it of is a disturbance.
      #expect(news.isEmpty == isTold, "told: \(isTold), \(beat), \(news)")
      let phase = board.scene.monitor.phase
      #expect(phase == .parked || !isTold)
    }
  }

  @Test func itSoundsAgainAndAgainAndForAnHour() {
    var board = Board(hertz: 25)
    for seconds in [10, 30, 30, 3600, 5] {
      board.begin(.pulse, seconds: seconds, by: 1)
      board.pass(seconds: Double(seconds))
      board.scene.still(seconds: 7)
    }
    let isArmed = board.scene.monitor.isArmed
    let news = board.scene.news()
    #expect(news.isEmpty && isArmed, "\(news)")
  }

  /// As strong as the tone, and a tenth of it.
  @Test func workIsToldWhileItSoundsHoweverLoudItIs() throws {
    for beat in [SoundBeat.steady, .pulse] {
      for (at, tone) in [(0.1, Float(3)), (4.0, 3), (25.3, 30)] {
        var board = Board()
        board.begin(beat, seconds: 60, by: tone)
        board.pass(seconds: at)
        #expect(board.scene.news().isEmpty)
        let start = board.scene.sensor.time
        board.pass(seconds: 10, work: 3)
        let told = board.delay(since: start)
        let delay = try #require(told, "\(beat), after \(at) s")
        #expect(delay <= .seconds(4), "\(delay)")
      }
    }
  }

  /// At every place of the beat.
  @Test func tiltingAndLiftingAreToldWhileItSounds() throws {
    for tilts in [true, false] {
      for place in 0..<7 {
        var board = Board()
        board.begin(seconds: 30, by: 3)
        board.pass(seconds: 4.2 + Double(place) * 0.2)
        let start = board.scene.sensor.time
        // Within one tone, or over two silences.
        if tilts {
          board.pass(seconds: 0.8, rate: Vector3(0.4, 0, 0))
        } else {
          board.pass(seconds: 2.8, push: Vector3(0, 0, 1.2))
        }
        board.pass(seconds: 4)
        let told = board.delay(since: start)
        let delay = try #require(told, "tilts: \(tilts), place \(place)")
        #expect(delay <= .seconds(4), "tilts: \(tilts), place \(place): \(delay)")
      }
    }
  }

  @Test func turningAboutTheVerticalIsToldWhileItSounds() throws {
    for rate in [Float(0.08), 0.5] {
      var board = Board()
      board.begin(seconds: 60, by: 3)
      board.pass(seconds: 4.2)
      let start = board.scene.sensor.time
      // Slowly over many tones, or in one of them.
      board.pass(seconds: Double(0.4 / rate), rate: Vector3(0, 0, rate))
      board.pass(seconds: 4)
      let told = board.delay(since: start)
      let delay = try #require(told, "\(rate) rad/s")
      #expect(delay <= .seconds(6), "\(rate) rad/s: \(delay)")
    }
  }

  @Test func aKnockOnEitherSideOfAToneIsNoWork() {
    var board = Board()
    board.begin(seconds: 60, by: 3)
    // The silences begin 0.91 s after a tone does.
    board.pass(seconds: 2.35)
    for _ in 0..<4 {
      board.pass(seconds: 0.12, work: 4)
      board.pass(seconds: 1.28)
    }
    #expect(board.scene.news().movements.isEmpty)
  }

  @Test func onceItIsSilentTheSameShakingIsSomebodys() {
    for hushes in [false, true] {
      var board = Board()
      board.begin(seconds: hushes ? 600 : 20, by: 1.5)
      board.pass(seconds: 20)
      if hushes { board.scene.monitor.expectSound(.steady, for: .zero, at: board.scene.sensor.time) }
      board.scene.still(seconds: 10)
      #expect(board.scene.news().isEmpty)
      var random = SeededRandom(seed: 7)
      board.scene.move(seconds: 10) { _ in random.vector(deviation: 1.5) }
      #expect(!board.scene.news().movements.isEmpty, "hushed: \(hushes)")
    }
  }

  @Test func aTailAfterTheEndIsItsOwn() {
    for isHushed in [false, true] {
      var board = Board()
      board.begin(seconds: isHushed ? 600 : 3, by: 20)
      board.pass(seconds: 3)
      if isHushed { board.scene.monitor.expectSound(.steady, for: .zero, at: board.scene.sensor.time) }
      var random = SeededRandom(seed: 8)
      board.scene.move(seconds: 0.08) { _ in random.vector(deviation: 20) }
      board.scene.still(seconds: 30)
      let news = board.scene.news()
      #expect(news.isEmpty, "hushed: \(isHushed), \(news)")
    }
  }

  @Test func itDelaysNoArming() {
    var scene = Scene(hertz: 25)
    scene.still(seconds: 200)
    var random = SeededRandom(seed: 9)
    scene.monitor.expectSound(.pulse, for: .seconds(60), at: scene.sensor.time)
    scene.move(seconds: 60) { random.vector(deviation: $0 % 25 < 10 ? 1 : 0) }
    scene.still(seconds: 45)
    let isArmed = scene.monitor.isArmed
    #expect(isArmed, "300 s after it was left")
  }

  @Test func aRestingSensorVouchesWhileItSounds() throws {
    for moves in [false, true] {
      var board = Board()
      board.begin(seconds: 60, by: 1)
      board.pass(seconds: 12)
      if moves { board.pass(seconds: 3, work: 1.5) }
      board.pass(seconds: 5)
      let during = board.scene.monitor.stillByInertiaSince
      #expect((during != nil) == !moves)
      // And after it.
      board.pass(seconds: 40)
      board.scene.still(seconds: 3)
      let after = board.scene.monitor.stillByInertiaSince
      #expect(after != nil)
    }
  }

  @Test func anAlarmIsNotKeptOpenByIt() {
    var board = Board()
    board.scene.handle(seconds: 4)
    let before = board.scene.monitor.phase
    #expect(before == .alarmed)
    board.begin(.pulse, seconds: 600, by: 1)
    board.pass(seconds: 120)
    let after = board.scene.monitor.phase
    #expect(board.scene.news().quiets == 1 && after == .parked)
  }

  /// A gap of the sensor in a tone is a gap, and a tone that a fault falls into does not end the listening.
  @Test func aSilenceOfTheSensorInTheSoundIsAGap() {
    var board = Board()
    board.begin(seconds: 60, by: 3)
    board.pass(seconds: 10.3)
    board.scene.sensor.time = board.scene.sensor.time + .seconds(20)
    board.pass(seconds: 20)
    var news = board.scene.news()
    #expect(news.movements.isEmpty, "\(news)")
    board.pass(seconds: 6, work: 3)
    news = board.scene.news()
    #expect(!news.movements.isEmpty)
  }
}

import Quantities
import TrackerRuntime
import TrackerCore

/// `leash why`: what decided an alert, and what would have kept it from being told.
enum WhyCommand {
  static let alert = Option<Int>("alert", "N", default: 1, "Number of the alert in the recording, from 1.")
  static let settings = Option<String>(
    "set", "NAME=VALUE", "Change a setting of the tracker; may be given several times.")
  static let jobs = Option<Int>("jobs", "J", "Number of replays in parallel. Default: the number of processors.")
  static let files = Positional("FILE", count: .oneOrMore, "Recordings as for 'leash replay', or a Leash log.")

  static let command = Command(
    "why", "Explain why an alert was raised",
    discussion: """
      Replays the recording up to the alert and explains what was measured and what decided. Then it replays with \
      every setting of the detectors changed up and down. The smallest change that prevents the alert is its margin.
      """,
    parameters: [.positional(files), .option(alert), .option(settings), .option(jobs)]
  ) { arguments, console throws(CommandFailure) in
    let number = arguments[alert] ?? 1
    guard number >= 1 else { throw .usage("option '--alert': '\(number)' is too small; expected 1 or more") }
    let threads = arguments[jobs] ?? processorCount()
    guard 1...1024 ~= threads else { throw .usage("option '--jobs': \(threads) is not from 1 to 1024") }
    let recording = try WhyRecording(arguments[files])
    var configuration = try recording.configuration()
    for text in arguments.all(settings) { try ReplayOptions.set(text, &configuration) }
    let trace = try reading { () throws(RecordingError) in
      try AlertTrace(recording, configuration, until: nil, alert: number)
    }
    guard let alert = trace.wanted else {
      throw .check(
        "there is no alert \(number): the recording has \(trace.alertCount) up to its end at \(TimeText.elapsed(trace.end))"
      )
    }
    for sentence in WhyText.sentences(alert, number: number, trace, configuration) { console.out.writeLine(sentence) }
    let experiment = WhyExperiment(recording, configuration, alert: alert, trace)
    let flips = try experiment.run(threads: threads, console)
    for sentence in WhyText.flips(flips, tried: experiment.names.count, isInAlarm: trace.isInAlarm) {
      console.out.writeLine(sentence)
    }
    if !flips.contains(where: { $0.unit != "s" && $0.name != WhyFlip.all }),
      let sentence = WhyText.agreement(trace.peaks)
    {
      console.out.writeLine(sentence)
    }
    return .success
  }
}

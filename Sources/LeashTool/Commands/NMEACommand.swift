import NMEA
import Quantities
import Recording

/// `leash nmea`: what a receiver's log says, epoch by epoch.
enum NMEACommand {
  static let json = Flag(
    "json", "Print one JSON object per line for every epoch, with the names and units of gpsd's TPV reports.")
  static let files = Positional("FILE", count: .oneOrMore, "NMEA 0183 logs; gzip allowed, '-' is standard input.")

  static let command = Command(
    "nmea", "Read NMEA 0183 logs",
    discussion: """
      Combines the sentences of each epoch into one fix and prints it. Damaged and unknown sentences are counted by \
      kind; the counts follow at the end (with --json on standard error).
      """,
    parameters: [.positional(files), .flag(json)]
  ) { arguments, console throws(CommandFailure) in
    for path in arguments[files] {
      var listing = NMEAListing(path, isJSON: arguments[json], console: console)
      try listing.run()
    }
    return .success
  }
}

/// Where requests of the page go.
package struct PageRequests {
  /// What became of one.
  package enum Reply: Equatable, Sendable {
    /// It was obeyed, and what it did is kept; with the reason of the status packet about it, if there is one, and why a rule was not taken.
    case obeyed(String?, because: String? = nil)
    /// It was refused, in a word.
    case refused(String)
  }

  /// Takes what a browser sent, 400 bytes at most, and says what became of it, at once or when it is kept. It has to be signed, which is
  /// for the closure to look at.
  package var take: (_ text: [UInt8], _ reply: @escaping (Reply) -> Void) -> Void
  /// One was refused without a look at it: it came from another page, or had another form.
  package var noteRefused: () -> Void

  /// Where they go.
  package init(
    take: @escaping (_ text: [UInt8], _ reply: @escaping (Reply) -> Void) -> Void, noteRefused: @escaping () -> Void
  ) {
    self.take = take
    self.noteRefused = noteRefused
  }
}

/// What the page shows, as JSON in UTF-8.
///
/// The closures are called on the thread of the run loop, once for each request, and answer at once.
package struct PageContent {
  /// How the tracker stands: the JSON of `BoardStatus`.
  package var status: () -> [UInt8]
  /// The last minutes, of the entries with a number above `after`:
  /// `{"newest":9,"now":931.2,"track":[…],"curve":[…],"happenings":[…]}`; `now` is on the clock of the entries, s.
  package var history: (_ after: Int) -> [UInt8]
  /// The dialogue with the modem, of the lines with a number above `after`:
  /// `{"newest":9,"lines":[{"n":9,"t":12.3,"out":true,"text":"AT+CSQ"}]}`. Secrets are left out by who gives it.
  package var dialogue: (_ after: Int) -> [UInt8]
  /// Fences as a GeoJSON `FeatureCollection`; `properties.name` is shown, and a `Point` is a circle of
  /// `properties.radiusMetres`, a `LineString` a corridor of `properties.widthMetres` on either side; `properties.isActive` marks one that
  /// must not be left, `properties.number` is its number.
  package var fences: () -> [UInt8]

  /// A simulated life, by the argument `after` of a request, as a page for it asks (`world.js`); nil for the page of a tracker.
  package var world: ((_ after: String) -> [UInt8])?

  /// Takes requests; nil for a page that only shows.
  package var requests: PageRequests?

  /// Content; without modem and fences unless they are given.
  package init(
    status: @escaping () -> [UInt8], history: @escaping (_ after: Int) -> [UInt8],
    dialogue: @escaping (_ after: Int) -> [UInt8] = { _ in Array("{\"newest\":0,\"lines\":[]}".utf8) },
    fences: @escaping () -> [UInt8] = { Array("{\"type\":\"FeatureCollection\",\"features\":[]}".utf8) }
  ) {
    self.status = status
    self.history = history
    self.dialogue = dialogue
    self.fences = fences
    requests = nil
  }

  /// The page of a simulated life.
  package init(world: @escaping (_ after: String) -> [UInt8], requests: PageRequests) {
    self.init(status: { Array("{}".utf8) }, history: { _ in Array("{}".utf8) })
    self.world = world
    self.requests = requests
  }
}

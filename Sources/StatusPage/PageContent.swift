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
  /// `properties.radiusMetres`.
  package var fences: () -> [UInt8]

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
  }
}

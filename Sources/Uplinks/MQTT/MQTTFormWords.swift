import Quantities

/// What the form of the packets has a broker say and keep beside them.
package struct MQTTFormWords {
  /// What it says on the topic of the packets when the tracker is gone without goodbye, with the time of connecting as far as that is known;
  /// nil for nothing. It is not kept: it would stand in the place of the position. A will of the settings comes before it.
  package var will: ((UTCTime?) -> String)?
  /// Who the tracker is, told once on each connection and kept on `/info`; nil for nothing.
  package var card: (() -> String)?

  /// Nothing.
  package init() {}
}

/// Why an outline is no region.
public enum RegionError: UInt8, Error, Equatable, Sendable, CaseIterable {
  /// A ring has fewer than three corners, a corridor fewer than two, a circle no centre.
  case tooFewPoints
  /// More corners than are allowed or there is room for, or more than seven holes.
  case tooManyPoints
  /// Two edges cross or touch where they are no neighbours, or fold back on each other.
  case crossing
  /// The corners lie in a line: what they enclose is narrower than `RegionLimits.leastWidth`.
  case zeroArea
  /// Two corners of a ring are the same place.
  case duplicatePoint
  /// A latitude beyond ±90° or a longitude beyond ±180°.
  case outOfRange
  /// A corner is farther than 60° from the middle of all corners.
  case tooLarge
  /// A radius or a width that is no number or out of `RegionLimits.widths`.
  case badWidth
  /// A hole is not within the polygon, or within another hole.
  case holeOutside
}

/// What makes a region: which numbers belong to it.
public enum RegionShape: UInt8, Equatable, BitwiseCopyable, Sendable, CaseIterable {
  /// All places within a distance of one.
  case circle
  /// All places within an outline, without its holes.
  case polygon
  /// All places within a distance of a line.
  case corridor
}

/// What an outline may have.
public struct RegionLimits: Equatable, BitwiseCopyable, Sendable {
  /// Most corners of a polygon, holes included, or of a corridor.
  public var corners: Int

  /// Limits with so many corners; the room of the region is a limit, too.
  public init(corners: Int) { self.corners = corners }

  /// Three to eight corners, as a person draws them.
  public static var simple: RegionLimits { RegionLimits(corners: 8) }
  /// As many as there is room for.
  public static var room: RegionLimits { RegionLimits(corners: .max) }
  /// Least and largest radius of a circle and half width of a corridor, m.
  public static var widths: ClosedRange<Double> { 1...1_000_000 }
  /// Area by circumference, m, below which an outline is a line: corners are typed with seven decimals, 1 cm.
  public static var leastWidth: Double { 0.05 }
  /// Most rings: the outline and its holes.
  public static var rings: Int { 8 }
}

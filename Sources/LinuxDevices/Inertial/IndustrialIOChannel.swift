import Quantities

/// One kind of quantity of an IIO device: three axes that become a vector in SI units.
struct IndustrialIOChannel {
  /// What a device may measure, with the name in its files.
  enum Kind: String, CaseIterable {
    case specificForce = "accel"
    case angularRate = "anglvel"
    case magneticFluxDensity = "magn"

    /// From the kernel's units to ours: they are m/s², rad/s and gauss.
    ///
    /// - Source: [iio-abi] in_accel_raw, in_anglvel_raw, in_magn_raw
    var factor: Double { self == .magneticFluxDensity ? 100 : 1 }
  }

  static let axes = ["x", "y", "z"]

  let kind: Kind
  private var elements: [ScanLayout.Element] = []
  private var scales: [Double] = []
  private var offsets: [Double] = []
  private let mount: MountMatrix

  /// From the files of a device; nil when its frames do not have the three axes.
  ///
  /// - Throws: When there are axes without a scale, or a mount matrix that is none.
  init?(_ kind: Kind, of files: IndustrialIOFiles, layout: ScanLayout) throws(DeviceFailure) {
    self.kind = kind
    for axis in Self.axes {
      guard let element = layout.element("\(kind.rawValue)_\(axis)") else { return nil }
      elements.append(element)
      let own = "in_\(kind.rawValue)_\(axis)"
      let shared = "in_\(kind.rawValue)"
      guard let scale = files.number("\(own)_scale") ?? files.number("\(shared)_scale"), scale.isFinite, scale != 0
      else {
        throw DeviceFailure(
          .read, "\(files.folder)/\(shared)_scale", .explained("no scale; expected a number such as 0.000598"))
      }
      scales.append(scale * kind.factor)
      offsets.append(files.number("\(own)_offset") ?? files.number("\(shared)_offset") ?? 0)
    }
    mount = try Self.mount(kind, of: files)
  }

  private static func mount(_ kind: Kind, of files: IndustrialIOFiles) throws(DeviceFailure) -> MountMatrix {
    for name in ["in_\(kind.rawValue)_mount_matrix", "in_mount_matrix", "mount_matrix"] {
      guard let text = files.read(name) else { continue }
      if let matrix = MountMatrix(text) { return matrix }
      throw DeviceFailure(
        .read, "\(files.folder)/\(name)",
        .explained("'\(text)' is not a mount matrix; expected nine numbers such as '1, 0, 0; 0, 1, 0; 0, 0, 1'"))
    }
    return .identity
  }

  /// The vector of a frame, in the axes of the board.
  func vector(of frame: ArraySlice<UInt8>) -> Vector3 {
    func axis(_ place: Int) -> Float {
      let element = elements[place]
      let raw = element.type.value(frame.dropFirst(element.offset))
      return Float((Double(raw) + offsets[place]) * scales[place])
    }
    return mount.applied(to: Vector3(axis(0), axis(1), axis(2)))
  }

  /// The largest value an axis can have.
  var limit: Double { zip(elements, scales).map { Double(1 << Int64($0.type.bits - 1)) * $1 }.min() ?? 0 }
}

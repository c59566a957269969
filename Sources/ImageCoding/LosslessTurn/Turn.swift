import MediaMetadata

/// A combination of turning and mirroring: one of the eight that EXIF's orientations describe.
///
///     Turn(exifOrientation: 6).then(.right).exifOrientation  // 3
public struct Turn: Hashable, Sendable {
  /// Whether left and right are exchanged, before the picture is turned.
  public var isMirrored: Bool
  /// The number of quarter turns clockwise, 0 to 3.
  public var quarterTurns: Int

  public init(isMirrored: Bool = false, quarterTurns: Int = 0) {
    self.isMirrored = isMirrored
    self.quarterTurns = (quarterTurns % 4 + 4) % 4
  }

  public static let none = Turn()
  /// A turn by 90° clockwise.
  public static let right = Turn(quarterTurns: 1)
  public static let around = Turn(quarterTurns: 2)
  /// A turn by 90° counterclockwise.
  public static let left = Turn(quarterTurns: 3)
  /// Exchanges left and right.
  public static let mirrored = Turn(isMirrored: true)
  /// Exchanges top and bottom.
  public static let flipped = Turn(isMirrored: true, quarterTurns: 2)

  private static let byOrientation: [Turn] = [
    .none, .mirrored, .around, .flipped, Turn(isMirrored: true, quarterTurns: 3), .right,
    Turn(isMirrored: true, quarterTurns: 1), .left,
  ]

  /// Creates the turn that makes a stored picture upright. A number outside 1 to 8 means no turn.
  public init(exifOrientation: Int) {
    self = (1...8).contains(exifOrientation) ? Self.byOrientation[exifOrientation - 1] : .none
  }

  /// The orientation in EXIF, 1 to 8.
  public var exifOrientation: Int { (Self.byOrientation.firstIndex(of: self) ?? 0) + 1 }

  /// Returns the turn that applies this one first and then the other one.
  public func then(_ next: Turn) -> Turn {
    // A mirror exchanges clockwise and counterclockwise.
    Turn(
      isMirrored: isMirrored != next.isMirrored,
      quarterTurns: next.quarterTurns + (next.isMirrored ? -quarterTurns : quarterTurns))
  }

  /// Whether width and height are exchanged.
  public var exchangesSides: Bool { quarterTurns % 2 == 1 }
}

import MediaMetadata

/// A way to turn and mirror a picture: the eight that keep its sides upright, which EXIF's orientations stand for.
///
///     Turn(exifOrientation: 6).then(.right).exifOrientation  // 3
public struct Turn: Hashable, Sendable {
  /// Left and right are exchanged, before it is turned.
  public var isMirrored: Bool
  /// Clockwise, 0 to 3.
  public var quarterTurns: Int

  public init(isMirrored: Bool = false, quarterTurns: Int = 0) {
    self.isMirrored = isMirrored
    self.quarterTurns = (quarterTurns % 4 + 4) % 4
  }

  public static let none = Turn()
  /// By 90° clockwise.
  public static let right = Turn(quarterTurns: 1)
  public static let around = Turn(quarterTurns: 2)
  /// By 90° counterclockwise.
  public static let left = Turn(quarterTurns: 3)
  /// Left and right exchanged.
  public static let mirrored = Turn(isMirrored: true)
  /// Above and below exchanged.
  public static let flipped = Turn(isMirrored: true, quarterTurns: 2)

  private static let byOrientation: [Turn] = [
    .none, .mirrored, .around, .flipped, Turn(isMirrored: true, quarterTurns: 3), .right,
    Turn(isMirrored: true, quarterTurns: 1), .left,
  ]

  /// What makes a stored picture upright; any number but 1 to 8 is none.
  public init(exifOrientation: Int) {
    self = (1...8).contains(exifOrientation) ? Self.byOrientation[exifOrientation - 1] : .none
  }

  /// 1 to 8.
  public var exifOrientation: Int { (Self.byOrientation.firstIndex(of: self) ?? 0) + 1 }

  /// First this, then the other one.
  public func then(_ next: Turn) -> Turn {
    // A mirror exchanges clockwise and counterclockwise.
    Turn(
      isMirrored: isMirrored != next.isMirrored,
      quarterTurns: next.quarterTurns + (next.isMirrored ? -quarterTurns : quarterTurns))
  }

  /// Whether width and height are exchanged.
  public var exchangesSides: Bool { quarterTurns % 2 == 1 }
}

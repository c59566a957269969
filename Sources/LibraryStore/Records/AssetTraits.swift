/// The traits of an asset that smart albums need and PhotoKit has no property for.
public struct AssetTraits: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// One of its files is a camera's RAW file.
  public static let raw = AssetTraits(rawValue: 1 << 0)
  /// The photo was taken by a phone's front camera.
  public static let selfie = AssetTraits(rawValue: 1 << 1)
  public static let longExposure = AssetTraits(rawValue: 1 << 2)
  /// A Live Photo that is shown as a still.
  public static let stillOnly = AssetTraits(rawValue: 1 << 3)
  /// A Live Photo or an animation whose edit is a still.
  public static let editedToStill = AssetTraits(rawValue: 1 << 4)
  /// A part of the picture is missing or wrong.
  public static let damaged = AssetTraits(rawValue: 1 << 5)
  /// The time of the creation date is not known.
  public static let noTime = AssetTraits(rawValue: 1 << 6)
  /// The day of the creation date is not known.
  public static let noDay = AssetTraits(rawValue: 1 << 7)
  /// The month of the creation date is not known.
  public static let noMonth = AssetTraits(rawValue: 1 << 8)

  /// The traits of the creation date.
  public static let ofDate: AssetTraits = [.noTime, .noDay, .noMonth]
  /// The traits that a person's change sets or removes.
  static let ofPerson = ofDate.union(.stillOnly)
}

/// The condition of a fetch: a tree whose leaves compare keys with values.
///
///     let large = Condition.comparison(.key(.pixelWidth), .greater, .value(.integer(4000)))
///     query.condition = .all([large, .comparison(.key(.isFavorite), .equal, .value(.integer(1)))])
///
/// A comparison with a missing value is false, and its negation true. Two missing values are equal.
public indirect enum Condition: Hashable, Sendable {
  case always, never
  case all([Condition])
  case any([Condition])
  case not(Condition)
  case comparison(Operand, Comparison, Operand)
  /// Both bounds are included.
  case between(Operand, Operand, Operand)
  case isIn(Operand, [Value])
  case text(Operand, TextTest, String, TextOptions)

  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  /// The tests of texts. `equal` and `notEqual` are for comparisons that ignore case or accents.
  public enum TextTest: String, Hashable, Sendable, CaseIterable {
    case equal, notEqual, contains, beginsWith, endsWith
    /// A pattern in which `*` matches any characters, and `?` one.
    case like
    /// A regular expression, which must match the whole text.
    case matches
  }

  public struct TextOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let caseInsensitive = TextOptions(rawValue: 1)
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
  }
}

/// One side of a comparison.
public indirect enum Operand: Hashable, Sendable {
  case key(FetchKey)
  case value(Value)
  case arithmetic(Operand, Operation, Operand)

  public enum Operation: String, Hashable, Sendable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case dividedBy = "/"
    case bitAnd = "&"
    case bitOr = "|"
  }
}

/// The properties of an object that a fetch can use.
public enum FetchKey: String, Hashable, Sendable, CaseIterable {
  /// Keys of assets and collections.
  case uuid, modificationDate
  /// Keys of assets.
  case creationDate, localDate, localDay, addedDate, mediaType, mediaSubtypes, duration, pixelWidth, pixelHeight,
    isFavorite, isHidden, burstIdentifier, hasAdjustments, originalFilename, fileSize, uniformTypeIdentifier,
    cameraModel, latitude, longitude
  /// Keys of collections.
  case title, startDate, endDate, assetCount
}

/// What a fetch asks of each object: a tree whose leaves compare keys with values.
///
///     let large = Condition.comparison(.key(.pixelWidth), .greater, .value(.integer(4000)))
///     query.condition = .all([large, .comparison(.key(.isFavorite), .equal, .value(.integer(1)))])
///
/// A comparison with a value that isn't there is false, and its negation true; two missing values are equal.
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

  /// `equal` and `notEqual` stand here for texts that are compared without case or accents.
  public enum TextTest: String, Hashable, Sendable, CaseIterable {
    case equal, notEqual, contains, beginsWith, endsWith
    /// `*` stands for any characters, `?` for one.
    case like
    /// A regular expression, which has to match all of the text.
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

/// A constant; dates are seconds since 1970, truth values 0 and 1.
public enum Value: Hashable, Sendable {
  case integer(Int)
  case real(Double)
  case text(String)
  case null
}

/// What a fetch can name of an object.
public enum FetchKey: String, Hashable, Sendable, CaseIterable {
  /// Of assets and collections.
  case uuid, modificationDate
  /// Of assets.
  case creationDate, localDate, addedDate, mediaType, mediaSubtypes, duration, pixelWidth, pixelHeight, isFavorite,
    isHidden, burstIdentifier, hasAdjustments, originalFilename, fileSize, uniformTypeIdentifier, cameraModel, latitude,
    longitude
  /// Of collections.
  case title, startDate, endDate, assetCount
}

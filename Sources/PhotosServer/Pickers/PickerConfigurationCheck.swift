import PhotosUI

/// The check of a picker's configuration. The window makes the same check. Here, the program gets
/// the error before a window opens.
enum PickerConfigurationCheck {
  static let deepestFilter = 32
  static let mostFilterParts = 64
  static let longestText = 1_000
  static let mostPreselected = 100_000
  /// The deepest JSON of a request: two levels for each level of a filter, and eight for what is
  /// around it.
  static let depthLimit = 2 * deepestFilter + 8

  private static let choices: [String: Set<String>] = [
    "selection": ["default", "ordered", "continuous", "continuousAndOrdered"],
    "representation": ["automatic", "current", "compatible"],
    "mode": ["default", "compact"],
    "colorScheme": ["light", "dark", "light dark"],
    "deliver": ["port", "address"],
  ]
  private static let lists: [String: Set<String>] = [
    "disabledCapabilities": [
      "search", "stagingArea", "collectionNavigation", "selectionActions", "sensitivityAnalysisIntervention",
    ],
    "edgesWithoutContentMargins": ["top", "leading", "bottom", "trailing"],
  ]
  private static let texts: Set = ["searchText", "locale", "purpose"]
  private static let switches: Set = ["identifiers", "includeLocation", "includeCaptions", "choosesAccess"]
  private static let leastNumbers = ["selectionLimit": 0, "maxPixelSize": 16]
  /// The largest whole number that a page can count to.
  private static let largestNumber = (1 << 53) - 1

  /// Throws 422 for an unknown key, and for a value that the window does not take.
  static func check(_ fields: JSONFields) throws {
    for key in fields.keys.sorted() {
      if let place = fields[key] { try check(place, of: key) }
    }
    if let place = fields["preselected"], try !place.array().isEmpty, try fields["identifiers"]?.bool() != true {
      throw place.failure("it needs identifiers: true")
    }
  }

  private static func check(_ place: JSONPlace, of key: String) throws {
    if let choices = choices[key] {
      try check(place, among: choices)
    } else if let elements = lists[key] {
      let given = try place.array()
      guard given.count <= elements.count else { throw place.failure("it has more than \(elements.count) values") }
      for element in given { try check(element, among: elements) }
    } else if texts.contains(key) {
      try checkText(place)
    } else if switches.contains(key) {
      _ = try place.bool()
    } else if let least = leastNumbers[key] {
      _ = try place.integer(in: least...largestNumber)
    } else if key == "preselected" {
      let identifiers = try place.array()
      guard identifiers.count <= mostPreselected else {
        throw place.failure("it has more than \(mostPreselected) values")
      }
      for identifier in identifiers { try checkText(identifier) }
    } else if key == "filter" {
      var parts = 0
      try checkFilter(place, in: place, depth: 1, &parts)
    } else {
      throw place.failure("this key is not known here")
    }
  }

  private static func check(_ place: JSONPlace, among choices: Set<String>) throws {
    let text = try place.string()
    guard choices.contains(text) else {
      throw place.failure("\(text) is not one of \(choices.sorted().joined(separator: ", "))")
    }
  }

  private static func checkText(_ place: JSONPlace) throws {
    guard try place.string().utf16.count <= longestText else {
      throw place.failure("it has more than \(longestText) characters")
    }
  }

  private static func checkFilter(_ part: JSONPlace, in filter: JSONPlace, depth: Int, _ parts: inout Int) throws {
    parts += 1
    guard depth <= deepestFilter else { throw filter.failure("it is deeper than \(deepestFilter) levels") }
    guard parts <= mostFilterParts else { throw filter.failure("it has more than \(mostFilterParts) parts") }
    if case .string(let name) = part.value {
      guard PHPickerFilter.isKind(name) else { throw part.failure("\(name) is no kind of photos or videos") }
      return
    }
    let fields = try part.fields()
    guard fields.keys.count == 1, let key = fields.keys.first, let value = fields[key] else {
      throw part.failure("this has to be one of any, all, not and playbackStyle")
    }
    switch key {
    case "any", "all":
      for element in try value.array() { try checkFilter(element, in: filter, depth: depth + 1, &parts) }
    case "not": try checkFilter(value, in: filter, depth: depth + 1, &parts)
    case "playbackStyle": _ = try value.integer(in: 0...5)
    default: throw value.failure("this has to be one of any, all, not and playbackStyle")
    }
  }
}

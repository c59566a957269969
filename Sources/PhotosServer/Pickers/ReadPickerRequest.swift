import PhotosUI

/// The configuration of a picker as its program has sent it, checked as the window checks it.
struct ReadPickerRequest: Sendable {
  let configuration: JSONValue
  /// The UUIDs of the assets that are selected at first.
  let preselected: [String]
  /// Whether items have identifiers.
  let identifiers: Bool
  /// Whether only the window's end ends the choosing: a continuous picker without Add and Cancel.
  let endsWithLastChoice: Bool
  /// Whether the choice decides what a program of the library's user may see.
  let choosesAccess: Bool
  /// The form in which the program wants the items.
  let form: HandedOverForm

  /// Reads a configuration. A page or a program elsewhere gets by default what a page with a window
  /// gets: copies as they are stored, without their place and texts. `asset` returns the asset that
  /// the asker means by an identifier.
  init(
    _ configuration: JSONValue, of asker: PickerAsker = .ownUser,
    asset: (String) -> String? = { String($0.prefix { $0 != "/" }) }
  ) throws {
    let configuration = configuration.withoutNulls
    let fields = try JSONPlace(value: configuration, path: "configuration").fields()
    try PickerConfigurationCheck.check(fields)
    identifiers = try fields["identifiers"]?.bool() ?? false
    var known: Set<String> = []
    preselected = try (fields["preselected"]?.array() ?? []).compactMap { asset(try $0.string()) }
      .filter { known.insert($0).inserted }
    let isContinuous = try fields["selection"]?.string().hasPrefix("continuous") ?? false
    let disabled = try fields["disabledCapabilities"]?.array().map { try $0.string() } ?? []
    endsWithLastChoice = isContinuous && disabled.contains("selectionActions")
    choosesAccess = try fields["choosesAccess"]?.bool() ?? false
    let representation = try fields["representation"]?.string()
    form = HandedOverForm(
      representation: representation.flatMap { .init(name: $0) } ?? (asker.isOwnUser ? .automatic : .current),
      removedMetadata: .init(
        includesLocation: try fields["includeLocation"]?.bool() ?? asker.isOwnUser,
        includesCaptions: try fields["includeCaptions"]?.bool() ?? asker.isOwnUser))
    guard case .object(var changed) = configuration else { throw Failure(.internalServerError, "no configuration") }
    guard !asker.isOwnUser else {
      // It is not a key of the window's configuration, since pages must not say it.
      changed["choosesAccess"] = nil
      // The window's own defaults are those for pages, and its answer contains the values that it
      // shows.
      changed["representation"] = changed["representation"] ?? .string("automatic")
      for key in ["includeLocation", "includeCaptions"] { changed[key] = changed[key] ?? .bool(true) }
      self.configuration = .object(changed)
      return
    }
    for key in ["maxPixelSize", "deliver"] {
      if let place = fields[key] { throw place.failure("it needs a page that has the picker's window") }
    }
    if let place = fields["choosesAccess"] { throw place.failure("it is for programs at the library's socket") }
    if asker.origin == nil, let place = identifiers ? fields["identifiers"] : fields["preselected"] {
      throw place.failure("only a page has identifiers, or a program at the library's socket")
    }
    // The window knows assets by their UUIDs, which nobody else may name.
    changed["preselected"] = preselected.isEmpty ? nil : .array(preselected.map(JSONValue.string))
    self.configuration = .object(changed)
  }
}

extension JSONValue {
  /// The object without keys whose value is `null`.
  fileprivate var withoutNulls: JSONValue {
    guard case .object(let values) = self else { return self }
    return .object(values.filter { $0.value != .null })
  }
}

/// The form in which items are handed over: first as the program asks, then as the person chooses.
struct HandedOverForm: Equatable, Sendable {
  var representation: PHPickerConfiguration.AssetRepresentationMode
  var removedMetadata: PHPickerMetadataOptions = []
}

extension PHPickerConfiguration.AssetRepresentationMode {
  init?(name: String) {
    switch name {
    case "automatic": self = .automatic
    case "current": self = .current
    case "compatible": self = .compatible
    default: return nil
    }
  }
}

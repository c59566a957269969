// Foundation's types around `NSItemProvider`, and its members that take a `UTType`.

/// An object that can be made from an item's data.
public protocol NSItemProviderReading: NSObjectProtocol, SendableMetatype {
  /// The types that can be read, the preferred first.
  static var readableTypeIdentifiersForItemProvider: [String] { get }
  static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}

/// An object that can write itself as data.
public protocol NSItemProviderWriting: NSObjectProtocol {
  /// The types that can be written, the most faithful first.
  static var writableTypeIdentifiersForItemProvider: [String] { get }
  func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress?
}

/// An object that is made from an item's file or folder. The file is removed afterwards, so the
/// object may move it elsewhere.
package protocol ItemFileReading: NSItemProviderReading {
  static func object(withItemProviderFileAt url: URL, typeIdentifier: String) throws -> Self
}

/// The processes that may see a representation. There are no others here.
public enum NSItemProviderRepresentationVisibility: Int, Sendable {
  case all
  case team
  case group
  case ownProcess
}

public struct NSItemProviderFileOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The file may be opened where it is.
  public static let openInPlace = NSItemProviderFileOptions(rawValue: 1)
}

extension NSItemProvider {
  public enum ErrorCode: Int, Sendable {
    case unknownError = -1
    case itemUnavailableError = -1000
    case unexpectedValueClassError = -1100
    case unavailableCoercionError = -1200
  }

  public static let errorDomain = "NSItemProviderErrorDomain"

  package static func error(_ code: ErrorCode, _ description: String) -> any Error {
    NSError(domain: errorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: description])
  }

  /// The listed types of all representations, the most faithful first.
  public var registeredContentTypes: [UTType] { registeredTypeIdentifiers.compactMap { UTType($0) } }

  public func registeredContentTypes(conformingTo contentType: UTType) -> [UTType] {
    registeredContentTypes.filter { $0.conforms(to: contentType) }
  }

  @preconcurrency
  public func registerDataRepresentation(
    for contentType: UTType, visibility: NSItemProviderRepresentationVisibility = .all,
    loadHandler: @escaping @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
  ) {
    registerDataRepresentation(
      forTypeIdentifier: contentType.identifier, visibility: visibility, loadHandler: loadHandler)
  }

  @preconcurrency
  public func registerFileRepresentation(
    for contentType: UTType, visibility: NSItemProviderRepresentationVisibility = .all, openInPlace: Bool = false,
    loadHandler: @escaping @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?
  ) {
    registerFileRepresentation(
      forTypeIdentifier: contentType.identifier, fileOptions: openInPlace ? .openInPlace : [], visibility: visibility,
      loadHandler: loadHandler)
  }

  /// Registers a representation that writes a file into a folder, or a folder with files. It fills
  /// the progress, and may stop when that is canceled. The function blocks a thread.
  package func registerTransfer(
    for contentType: UTType, _ write: @escaping @Sendable (_ folder: URL, Progress) throws -> URL
  ) {
    register(ItemRepresentation(contentType.identifier, visibility: .all, source: .transfer(write)))
  }

  @discardableResult
  @preconcurrency
  public func loadDataRepresentation(
    for contentType: UTType, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress {
    loadDataRepresentation(forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
  }

  /// Loads the item as a file. If `openInPlace` is false, or the file can't be opened where it is,
  /// the file is a copy that is removed when the handler returns.
  @discardableResult
  @preconcurrency
  public func loadFileRepresentation(
    for contentType: UTType, openInPlace: Bool = false,
    completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
  ) -> Progress {
    guard !openInPlace else {
      return loadInPlaceFileRepresentation(
        forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
    }
    return loadFileRepresentation(forTypeIdentifier: contentType.identifier) { completionHandler($0, false, $1) }
  }

  /// Returns whether the item can be loaded as a value like `String` or `URL`.
  public func canLoadObject<T: _ObjectiveCBridgeable & SendableMetatype>(ofClass: T.Type) -> Bool
  where T._ObjectiveCType: NSItemProviderReading { canLoadObject(ofClass: T._ObjectiveCType.self) }

  @discardableResult
  @preconcurrency
  public func loadObject<T: _ObjectiveCBridgeable & SendableMetatype>(
    ofClass: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
  ) -> Progress where T._ObjectiveCType: NSItemProviderReading {
    loadObject(ofClass: T._ObjectiveCType.self) { object, error in
      var value: T?
      if let object = object as? T._ObjectiveCType { T._forceBridgeFromObjectiveC(object, result: &value) }
      completionHandler(value, error)
    }
  }
}

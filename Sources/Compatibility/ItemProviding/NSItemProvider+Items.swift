// `loadItem` and `registerItem`, which older programs use. On Apple's platforms an item is an
// `NSSecureCoding` in Swift. On Linux the compiler warns that a cast from `NSSecureCoding` to `URL`
// always fails. It succeeds, so handlers may take `Any`.

/// An item that is sent to a handler. The sender does not use it after that.
struct SentItem: @unchecked Sendable {
  // The handler alone uses the item.
  let item: (any NSSecureCoding)?
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of a preview's size in the options of `loadPreviewImage`. The value is an `NSValue` of a
/// `CGSize`.
public let NSItemProviderPreferredImageSizeKey = "NSItemProviderPreferredImageSizeKey"

extension NSItemProvider {
  /// Receives an item, or the reason that there is none.
  public typealias CompletionHandler = @Sendable ((any NSSecureCoding)?, (any Error)?) -> Void

  /// Provides an item, and calls the completion handler once. The class argument is always `nil`.
  public typealias LoadHandler = @Sendable (CompletionHandler?, AnyClass?, [AnyHashable: Any]?) -> Void

  /// Makes a provider of an item, such as an `NSURL`, an `NSData` or an `NSString`.
  public convenience init(item: (any NSSecureCoding)?, typeIdentifier: String?) {
    self.init()
    guard let item, let typeIdentifier else { return }
    let sent = SentItem(item: item)
    registerItem(forTypeIdentifier: typeIdentifier) { completionHandler, _, _ in completionHandler?(sent.item, nil) }
  }

  /// Registers a handler that provides the item itself. Loads of its data or its file read the file
  /// of an `NSURL`, and write an `NSData` or an `NSString`.
  @preconcurrency
  public func registerItem(forTypeIdentifier typeIdentifier: String, loadHandler: @escaping LoadHandler) {
    register(ItemRepresentation(typeIdentifier, visibility: .all, source: .item(loadHandler)))
  }

  /// Loads the item as it was registered. Of a file this is an `NSURL`, of data an `NSData`. The
  /// file of the `NSURL` is kept until the program ends. The handler is called once, on a
  /// background queue.
  ///
  ///     provider.loadItem(forTypeIdentifier: "public.movie") { item, error in
  ///       guard let url = item as? URL else { return }
  ///     }
  @preconcurrency
  public func loadItem(
    forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
    completionHandler: (@Sendable (Any?, (any Error)?) -> Void)?
  ) {
    let load = ItemLoad<SentItem> { sent, error in completionHandler?(sent?.item, error) }
    guard let representation = representation(typeIdentifier) else {
      return load.finish(.failure(unavailable(typeIdentifier)))
    }
    representation.loadItem(named: suggestedName, load.progress) { load.finish($0) }
  }

  /// Loads the item, for a handler whose parameter is declared as an `NSSecureCoding`.
  @_disfavoredOverload
  @preconcurrency
  public func loadItem(
    forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
    completionHandler: CompletionHandler? = nil
  ) {
    loadItem(forTypeIdentifier: typeIdentifier, options: options) { (item: Any?, error) in
      completionHandler?(item as? any NSSecureCoding, error)
    }
  }

  /// Loads the item as it was registered.
  public func loadItem(
    forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil
  ) async throws -> sending Any {
    let sent: SentItem = try await withCheckedThrowingContinuation { continuation in
      loadItem(forTypeIdentifier: typeIdentifier, options: options) { (item: Any?, error) in
        continuation.resume(
          with: Result {
            guard let item = item as? any NSSecureCoding else { throw error ?? CocoaError(.fileReadUnknown) }
            return SentItem(item: item)
          })
      }
    }
    nonisolated(unsafe) let item = sent.item as Any
    return item
  }

  /// Loads the preview that `previewImageHandler` provides. Without one, the handler gets an error:
  /// picked items have none.
  @preconcurrency
  public func loadPreviewImage(options: [AnyHashable: Any]? = nil, completionHandler: CompletionHandler?) {
    let load = ItemLoad<SentItem> { sent, error in completionHandler?(sent?.item, error) }
    guard let previewImageHandler else { return load.finish(.failure(unavailable("a preview"))) }
    ItemRepresentation.load(previewImageHandler, options) { load.finish($0) }
  }

  /// The types of the files that may be opened where they are.
  public var registeredContentTypesForOpenInPlace: [UTType] {
    registeredTypeIdentifiers(fileOptions: .openInPlace).compactMap { UTType($0) }
  }
}

extension NSURL {
  /// The file that the address names; `nil` for an address of another scheme.
  var file: URL? {
    guard isFileURL, let path, !path.isEmpty else { return nil }
    return URL(fileURLWithPath: path)
  }
}

extension ItemRepresentation {
  /// Loads the item itself, and calls the handler on a background thread.
  func loadItem(
    named name: String?, _ progress: Progress, _ handler: @escaping @Sendable (Result<SentItem, any Error>) -> Void
  ) {
    switch source {
    case .item(let load): Self.load(load, nil, handler)
    case .data:
      loadData(named: name, progress) { data in
        handler(data.map { SentItem(item: NSData(data: $0)) })
      }
    case .file, .transfer:
      loadFile(named: name, inPlace: true, progress) { file in
        handler(file.map { SentItem(item: NSURL(fileURLWithPath: $0.keptUntilExit().path)) })
      }
    }
  }

  static func load(
    _ function: @escaping NSItemProvider.LoadHandler, _ options: [AnyHashable: Any]?,
    _ handler: @escaping @Sendable (Result<SentItem, any Error>) -> Void
  ) {
    function(
      { item, error in
        let sent = SentItem(item: item)
        loadQueue.async {
          handler(
            Result {
              guard sent.item != nil else { throw missing(error) }
              return sent
            })
        }
      }, nil, options)
  }

  /// Returns an item's bytes: those of a file that an `NSURL` names, else its own.
  func data(of sent: SentItem) throws -> Data {
    switch sent.item {
    case let data as NSData: return Data(referencing: data)
    case let text as NSString: return Data("\(text)".utf8)
    case let url as NSURL:
      guard let file = url.file else { return Data(url.absoluteString.utf8) }
      return try Self.data(ofItemAt: file, typeIdentifier)
    case let item:
      throw NSItemProvider.error(
        .unavailableCoercionError, "\(typeIdentifier): \(item.map { "\(type(of: $0))" } ?? "nothing") has no data")
    }
  }
}

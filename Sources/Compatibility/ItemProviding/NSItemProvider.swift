@_exported import Foundation
import Synchronization
@_exported import UniformTypeIdentifiers

// Foundation has this class on Apple's platforms and lacks it elsewhere. There are no other
// processes to offer items to, so the visibility of a representation is kept and has no effect, and
// nothing coordinates reading.

/// A thing that can be loaded as objects, data or files of one or more types.
///
///     guard provider.canLoadObject(ofClass: UIImage.self) else { return }
///     let progress = provider.loadObject(ofClass: UIImage.self) { image, error in … }
///
/// - Any thread may use it. Handlers are called once, on a queue of their own.
/// - The first registered representation is the most faithful one. A load of a type uses the
///   representation of exactly this type, else the first one whose type conforms to it.
/// - A canceled `Progress` makes its load fail with `CocoaError.userCancelled`.
open class NSItemProvider: NSObject, NSCopying, @unchecked Sendable {
  // A lock guards the state. Subclasses guard what they add.

  private let state = Mutex(State())

  private struct State {
    var representations: [ItemRepresentation] = []
    var suggestedName: String?
    var previewImageHandler: LoadHandler?
  }

  public override init() {}

  /// Makes a provider of a file, which is copied by each load.
  public convenience init?(contentsOf fileURL: URL!) {
    guard let fileURL, fileURL.isFileURL, FileManager.default.fileExists(atPath: fileURL.path) else { return nil }
    self.init(contentsOf: fileURL, contentType: nil)
  }

  /// Makes a provider of a file. Without a type, the type is that of the extension. Each load
  /// copies the file, unless it asks for the file in place and `openInPlace` allows it. A file that
  /// does not exist is an error of each load.
  public convenience init(
    contentsOf fileURL: URL, contentType: UTType?, openInPlace: Bool = false, coordinated: Bool = false,
    visibility: NSItemProviderRepresentationVisibility = .all
  ) {
    self.init()
    let type = contentType ?? UTType(filenameExtension: fileURL.pathExtension) ?? .data
    suggestedName = fileURL.deletingPathExtension().lastPathComponent
    registerFileRepresentation(for: type, visibility: visibility, openInPlace: openInPlace) { completionHandler in
      completionHandler(fileURL, coordinated, nil)
      return nil
    }
  }

  /// Makes a provider of an object, in all types in which it can write itself.
  public convenience init(object: any NSItemProviderWriting) {
    self.init()
    registerObject(object, visibility: .all)
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSItemProvider()
    let state = state.withLock(\.self)
    copy.state.withLock { $0 = state }
    return copy
  }

  /// The name without an extension that files of the item get.
  open var suggestedName: String? {
    get { state.withLock(\.suggestedName) }
    set { state.withLock { $0.suggestedName = newValue } }
  }

  /// Provides a preview for `loadPreviewImage`.
  open var previewImageHandler: LoadHandler? {
    get { state.withLock(\.previewImageHandler) }
    set { state.withLock { $0.previewImageHandler = newValue } }
  }

  // MARK: Registering

  var representations: [ItemRepresentation] { state.withLock(\.representations) }

  /// Adds a representation. One of the same type is replaced.
  func register(_ representation: ItemRepresentation) {
    state.withLock { state in
      if let index = state.representations.firstIndex(where: { $0.typeIdentifier == representation.typeIdentifier }) {
        state.representations[index] = representation
      } else {
        state.representations.append(representation)
      }
    }
  }

  /// Registers a handler that provides the item's data. It is called by each load.
  @preconcurrency
  open func registerDataRepresentation(
    forTypeIdentifier typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility,
    loadHandler: @escaping @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
  ) {
    register(ItemRepresentation(typeIdentifier, visibility: visibility, source: .data(loadHandler)))
  }

  /// Registers a handler that provides the item's file. Each load copies the file, unless it asks
  /// for the file in place and `fileOptions` allows it.
  @preconcurrency
  open func registerFileRepresentation(
    forTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = [],
    visibility: NSItemProviderRepresentationVisibility,
    loadHandler: @escaping @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?
  ) {
    register(
      ItemRepresentation(typeIdentifier, visibility: visibility, fileOptions: fileOptions, source: .file(loadHandler)))
  }

  /// Registers all types in which an object can write itself.
  open func registerObject(_ object: any NSItemProviderWriting, visibility: NSItemProviderRepresentationVisibility) {
    let object = WrittenObject(object: object)
    for identifier in type(of: object.object).writableTypeIdentifiersForItemProvider {
      registerDataRepresentation(forTypeIdentifier: identifier, visibility: visibility) { completionHandler in
        object.object.loadData(
          withTypeIdentifier: identifier, forItemProviderCompletionHandler: completionHandler)
      }
    }
  }

  /// Registers all types in which objects of a class can write themselves. The handler makes the
  /// object, and is called by each load.
  @preconcurrency
  open func registerObject(
    ofClass aClass: any NSItemProviderWriting.Type, visibility: NSItemProviderRepresentationVisibility,
    loadHandler:
      @escaping @Sendable (
        @escaping @Sendable ((any NSItemProviderWriting)?, (any Error)?) -> Void
      ) -> Progress?
  ) {
    for identifier in aClass.writableTypeIdentifiersForItemProvider {
      registerDataRepresentation(forTypeIdentifier: identifier, visibility: visibility) { completionHandler in
        loadHandler { object, error in
          guard let object else { return completionHandler(nil, error) }
          _ = object.loadData(withTypeIdentifier: identifier, forItemProviderCompletionHandler: completionHandler)
        }
      }
    }
  }

  private struct WrittenObject: @unchecked Sendable {
    // Objects that write themselves may be asked on any thread.
    let object: any NSItemProviderWriting
  }

  // MARK: Types

  /// The types of all representations, the most faithful first.
  open var registeredTypeIdentifiers: [String] { representations.map(\.typeIdentifier) }

  /// The types of the representations that can be loaded with these options.
  open func registeredTypeIdentifiers(fileOptions: NSItemProviderFileOptions = []) -> [String] {
    representations.filter { $0.fileOptions.isSuperset(of: fileOptions) }.map(\.typeIdentifier)
  }

  /// Returns whether a representation has this type or one that conforms to it.
  open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
    representation(typeIdentifier) != nil
  }

  open func hasRepresentationConforming(
    toTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = []
  ) -> Bool {
    representation(typeIdentifier, fileOptions) != nil
  }

  // MARK: Loading

  /// Loads the item's data.
  @discardableResult
  @preconcurrency
  open func loadDataRepresentation(
    forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress {
    let load = ItemLoad(completionHandler)
    begin(load, of: typeIdentifier) { representation, name in
      representation.loadData(named: name, load.progress) { load.finish($0) }
    }
    return load.progress
  }

  /// Loads the item as a file, which is removed when the handler returns.
  @discardableResult
  @preconcurrency
  open func loadFileRepresentation(
    forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
  ) -> Progress {
    loadItemFile(typeIdentifier, inPlace: false) { file, error in
      withExtendedLifetime(file) { completionHandler(file?.url, error) }
    }
  }

  /// Loads the item as a file, which exists as long as its `ItemFile`. With `inPlace`, the file is
  /// the item's own if it may be opened where it is.
  package final func loadItemFile(
    _ typeIdentifier: String, inPlace: Bool, completionHandler: @escaping @Sendable (ItemFile?, (any Error)?) -> Void
  ) -> Progress {
    let load = ItemLoad(completionHandler)
    begin(load, of: typeIdentifier) { representation, name in
      representation.loadFile(named: name, inPlace: inPlace, load.progress) { load.finish($0) }
    }
    return load.progress
  }

  /// Loads the item's own file if it may be opened where it is, else a copy like
  /// `loadFileRepresentation`. The handler's `Bool` says which it is.
  @discardableResult
  @preconcurrency
  open func loadInPlaceFileRepresentation(
    forTypeIdentifier typeIdentifier: String,
    completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
  ) -> Progress {
    loadItemFile(typeIdentifier, inPlace: true) { file, error in
      withExtendedLifetime(file) { completionHandler(file?.url, file?.isInPlace ?? false, error) }
    }
  }

  /// Returns whether a representation has a type from which the class makes objects.
  open func canLoadObject(ofClass aClass: any NSItemProviderReading.Type) -> Bool { representation(for: aClass) != nil }

  /// Loads the item as an object of a class.
  @discardableResult
  @preconcurrency
  open func loadObject(
    ofClass aClass: any NSItemProviderReading.Type,
    completionHandler: @escaping @Sendable ((any NSItemProviderReading)?, (any Error)?) -> Void
  ) -> Progress {
    let load = ItemLoad<any NSItemProviderReading>(completionHandler)
    guard let representation = representation(for: aClass) else {
      load.finish(.failure(unavailable("an object of \(aClass)")))
      return load.progress
    }
    let identifier = representation.typeIdentifier
    if let aClass = aClass as? any ItemFileReading.Type {
      representation.loadFile(named: suggestedName, load.progress) { file in
        load.finish(
          Result { try aClass.object(withItemProviderFileAt: file.get().url, typeIdentifier: identifier) })
      }
    } else {
      representation.loadData(named: suggestedName, load.progress) { data in
        load.finish(Result { try aClass.object(withItemProviderData: data.get(), typeIdentifier: identifier) })
      }
    }
    return load.progress
  }

  private func begin<Value>(
    _ load: ItemLoad<Value>, of typeIdentifier: String, _ work: (ItemRepresentation, String?) -> Void
  ) {
    guard let representation = representation(typeIdentifier) else {
      return load.finish(.failure(unavailable(typeIdentifier)))
    }
    work(representation, suggestedName)
  }

  func representation(
    _ typeIdentifier: String, _ fileOptions: NSItemProviderFileOptions = []
  ) -> ItemRepresentation? {
    let representations = representations.filter { $0.fileOptions.isSuperset(of: fileOptions) }
    return representations.first { $0.typeIdentifier == typeIdentifier }
      ?? representations.first { $0.conforms(to: typeIdentifier) }
  }

  private func representation(for aClass: any NSItemProviderReading.Type) -> ItemRepresentation? {
    aClass.readableTypeIdentifiersForItemProvider.lazy.compactMap { self.representation($0) }.first
  }

  func unavailable(_ wanted: String) -> any Error {
    let types = registeredTypeIdentifiers.joined(separator: ", ")
    return Self.error(
      .itemUnavailableError, "the item can't be loaded as \(wanted); it has \(types.isEmpty ? "no types" : types)")
  }
}

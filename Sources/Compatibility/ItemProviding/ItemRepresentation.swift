/// One type of an item, and the function that provides it.
struct ItemRepresentation: Sendable {
  let typeIdentifier: String
  let visibility: NSItemProviderRepresentationVisibility
  let fileOptions: NSItemProviderFileOptions
  let source: Source

  enum Source: Sendable {
    case data(@Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?)
    case file(@Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?)
    case transfer(@Sendable (URL, Progress) throws -> URL)
    case item(NSItemProvider.LoadHandler)
  }

  init(
    _ typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility,
    fileOptions: NSItemProviderFileOptions = [], source: Source
  ) {
    self.typeIdentifier = typeIdentifier
    self.visibility = visibility
    self.fileOptions = fileOptions
    self.source = source
  }

  func conforms(to identifier: String) -> Bool {
    guard let own = UTType(typeIdentifier), let other = UTType(identifier) else { return typeIdentifier == identifier }
    return own.conforms(to: other)
  }

  /// Loads the data, and calls the handler on a background thread.
  func loadData(
    named name: String?, _ progress: Progress, _ handler: @escaping @Sendable (Result<Data, any Error>) -> Void
  ) {
    switch source {
    case .data(let load):
      follow(
        progress,
        load { data, error in loadQueue.async { handler(Self.result(data, error)) } })
    case .file, .transfer:
      loadFile(named: name, inPlace: true, progress) { file in
        handler(Result { try Self.data(ofItemAt: file.get().url, typeIdentifier) })
      }
    case .item(let load):
      Self.load(load, nil) { item in handler(Result { try data(of: item.get()) }) }
    }
  }

  static func data(ofItemAt url: URL, _ typeIdentifier: String) throws -> Data {
    guard !url.isFolder else {
      throw NSItemProvider.error(.itemUnavailableError, "\(typeIdentifier) is a folder: load its file representation")
    }
    return try Data(contentsOf: url)
  }

  /// The queue of transfers, of which a few run at once.
  private static let transfers: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4
    return queue
  }()

  /// Loads a file, and calls the handler on a background thread. The file exists as long as its
  /// `ItemFile`.
  func loadFile(
    named name: String?, inPlace: Bool = false, _ progress: Progress,
    _ handler: @escaping @Sendable (Result<ItemFile, any Error>) -> Void
  ) {
    switch source {
    case .data:
      loadData(named: name, progress) { data in
        handler(
          Result {
            let file = try ItemFile(named: filename(name))
            try data.get().write(to: file.url)
            return file
          })
      }
    case .item(let load):
      Self.load(load, nil) { item in
        handler(
          Result {
            let item = try item.get()
            guard let url = (item.item as? NSURL)?.file else {
              let file = try ItemFile(named: filename(name))
              try data(of: item).write(to: file.url)
              return file
            }
            return try copy(of: url, named: name)
          })
      }
    case .file(let load):
      let mayOpen = inPlace && fileOptions.contains(.openInPlace)
      follow(
        progress,
        load { url, _, error in
          loadQueue.async {
            handler(
              Result {
                let url = try Self.result(url, error).get()
                return mayOpen ? ItemFile(inPlace: url) : try copy(of: url, named: name)
              })
          }
        })
    case .transfer(let write):
      Self.transfers.addOperation {
        // A load that was canceled while it waited has called its handler.
        guard !progress.isCancelled else { return }
        let file = Result {
          let folder = try ItemFolder()
          return ItemFile(try write(folder.url, progress), in: folder)
        }
        // A handler may wait for another transfer.
        loadQueue.async { handler(file) }
      }
    }
  }

  private func copy(of url: URL, named name: String?) throws -> ItemFile {
    let file = try ItemFile(
      named: filename(name ?? url.deletingPathExtension().lastPathComponent, url.pathExtension))
    try FileManager.default.copyItem(at: url, to: file.url)
    return file
  }

  private static func result<Value>(_ value: Value?, _ error: (any Error)?) -> Result<Value, any Error> {
    value.map { .success($0) } ?? .failure(missing(error))
  }

  /// Returns the error of a provider that gave nothing.
  static func missing(_ error: (any Error)?) -> any Error {
    error ?? NSItemProvider.error(.unknownError, "the item's provider gave neither data nor an error")
  }

  /// Adds the progress of the function that provides the item, and cancels it with the load.
  private func follow(_ progress: Progress, _ child: Progress?) {
    guard let child else { return }
    progress.addChild(child, withPendingUnitCount: progress.totalUnitCount)
    if progress.isCancelled { child.cancel() }
  }

  private func filename(_ suggested: String?, _ usualExtension: String = "") -> String {
    let name = ItemFolder.safeName(suggested ?? "")
    let ending = usualExtension.isEmpty ? UTType(typeIdentifier)?.preferredFilenameExtension : usualExtension
    return ending.map { "\(name).\($0)" } ?? name
  }
}

extension URL {
  fileprivate var isFolder: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}

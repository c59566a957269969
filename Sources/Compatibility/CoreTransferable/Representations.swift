/// The form of a value whose bytes fit into memory.
public struct DataRepresentation<Item: Transferable>: ListedTransferRepresentation {
  let forms: [TransferForm<Item>]

  public init(
    contentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data,
    importing: @escaping @Sendable (Data) async throws -> Item
  ) {
    forms = [TransferForm(contentType: contentType, importing: .data(importing), exporting: .data(exporting))]
  }

  /// Makes a form in which values are only loaded.
  public init(importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item) {
    forms = [TransferForm(contentType: importedContentType, importing: .data(importing))]
  }

  /// Makes a form in which values are only written.
  public init(exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data) {
    forms = [TransferForm(contentType: exportedContentType, exporting: .data(exporting))]
  }
}

/// The form of a `Codable` value: JSON, or a property list.
public struct CodableRepresentation<Item: Transferable & Codable>: ListedTransferRepresentation {
  let forms: [TransferForm<Item>]

  public init(
    for itemType: Item.Type = Item.self, contentType: UTType, encoder: JSONEncoder = JSONEncoder(),
    decoder: JSONDecoder = JSONDecoder()
  ) {
    forms = [
      TransferForm(
        contentType: contentType, importing: .data { try decoder.decode(Item.self, from: $0) },
        exporting: .data { try encoder.encode($0) })
    ]
  }

  public init(
    for itemType: Item.Type = Item.self, contentType: UTType, encoder: PropertyListEncoder,
    decoder: PropertyListDecoder
  ) {
    forms = [
      TransferForm(
        contentType: contentType, importing: .data { try decoder.decode(Item.self, from: $0) },
        exporting: .data { try encoder.encode($0) })
    ]
  }
}

/// The forms of another type, the proxy. Values are made from proxies, and converted to them.
///
///     ProxyRepresentation(importing: { (live: PHLivePhoto) in Portrait(live) })
public struct ProxyRepresentation<Item: Transferable, Proxy: Transferable>: ListedTransferRepresentation {
  let forms: [TransferForm<Item>]

  public init(
    exporting: @escaping @Sendable (Item) async throws -> Proxy,
    importing: @escaping @Sendable (Proxy) async throws -> Item
  ) {
    forms = TransferForm.all(of: Proxy.transferRepresentation, importing: importing, exporting: exporting)
  }

  /// Makes forms in which values are only loaded.
  public init(importing: @escaping @Sendable (Proxy) async throws -> Item) {
    forms = TransferForm.all(of: Proxy.transferRepresentation, importing: importing, exporting: nil)
  }

  /// Makes forms in which values are only written.
  public init(exporting: @escaping @Sendable (Item) async throws -> Proxy) {
    forms = TransferForm.all(of: Proxy.transferRepresentation, importing: nil, exporting: exporting)
  }
}

/// The form of a value as a file. Each load of a written value copies its file.
public struct FileRepresentation<Item: Transferable>: ListedTransferRepresentation {
  let forms: [TransferForm<Item>]

  public init(
    contentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
    exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
    importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
  ) {
    forms = [
      TransferForm(
        contentType: contentType, importing: .file(inPlace: shouldAttemptToOpenInPlace, importing),
        exporting: .file(exporting))
    ]
  }

  /// Makes a form in which values are only loaded.
  public init(
    importedContentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
    importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
  ) {
    let importing = TransferForm<Item>.Importing.file(inPlace: shouldAttemptToOpenInPlace, importing)
    forms = [TransferForm(contentType: importedContentType, importing: importing)]
  }

  /// Makes a form in which values are only written.
  public init(
    exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile
  ) {
    forms = [TransferForm(contentType: exportedContentType, exporting: .file(exporting))]
  }
}

/// A file of which a value is made. A copy is removed when the value is made.
public struct ReceivedTransferredFile: Sendable {
  public let file: URL
  /// True if the file is the item's own, and no copy.
  public let isOriginalFile: Bool
}

/// The file that a value becomes.
public struct SentTransferredFile: Sendable {
  public let file: URL
  /// Whether a load may get the file itself. It has no effect: each load gets a copy.
  public let allowAccessingOriginalFile: Bool

  public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
    self.file = file
    self.allowAccessingOriginalFile = allowAccessingOriginalFile
  }
}

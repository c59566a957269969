@_exported import ItemProviding

/// A type whose values are loaded from a picked item, and written into an item provider.
///
///     struct Avatar: Transferable {
///       let image: UIImage
///
///       static var transferRepresentation: some TransferRepresentation {
///         DataRepresentation(importedContentType: .image) { data in try Avatar(data) }
///       }
///     }
@preconcurrency public protocol Transferable: Sendable {
  associatedtype Representation: TransferRepresentation

  /// The forms of a value, the preferred one first.
  @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

/// A form of a value, or several. This module's types are the only ones.
public protocol TransferRepresentation<Item>: Sendable {
  associatedtype Item: Transferable
}

/// Lists the forms of a value.
@resultBuilder public enum TransferRepresentationBuilder<Item: Transferable> {
  public static func buildExpression<Form: TransferRepresentation<Item>>(_ form: Form) -> Form { form }

  public static func buildPartialBlock<Form: TransferRepresentation<Item>>(first: Form) -> Form { first }

  public static func buildPartialBlock(
    accumulated: some TransferRepresentation<Item>, next: some TransferRepresentation<Item>
  ) -> TupleTransferRepresentation<Item> {
    TupleTransferRepresentation(forms: TransferForm.all(of: accumulated) + TransferForm.all(of: next))
  }
}

/// Several forms of a value.
public struct TupleTransferRepresentation<Item: Transferable>: ListedTransferRepresentation {
  let forms: [TransferForm<Item>]
}

/// A representation that can list its forms.
protocol ListedTransferRepresentation<Item>: TransferRepresentation {
  var forms: [TransferForm<Item>] { get }
}

/// One form of a value: its type, and how a value is made of it and becomes it.
struct TransferForm<Item: Transferable>: Sendable {
  var contentType: UTType
  var importing: Importing?
  var exporting: Exporting?

  enum Importing: Sendable {
    case data(@Sendable (Data) async throws -> Item)
    case file(inPlace: Bool, @Sendable (ReceivedTransferredFile) async throws -> Item)
  }

  enum Exporting: Sendable {
    case data(@Sendable (Item) async throws -> Data)
    case file(@Sendable (Item) async throws -> SentTransferredFile)
  }

  static func all(of representation: any TransferRepresentation) -> [TransferForm] {
    (representation as? any ListedTransferRepresentation<Item>)?.forms ?? []
  }

  /// Returns the forms of a proxy as those of the value. Without `importing` values are not loaded,
  /// and without `exporting` they are not written.
  static func all<Proxy: Transferable>(
    of representation: any TransferRepresentation, importing make: (@Sendable (Proxy) async throws -> Item)?,
    exporting proxy: (@Sendable (Item) async throws -> Proxy)?
  ) -> [TransferForm] {
    TransferForm<Proxy>.all(of: representation).map { form in
      TransferForm(
        contentType: form.contentType, importing: make.flatMap { form.importing?.followed(by: $0) },
        exporting: proxy.flatMap { form.exporting?.preceded(by: $0) })
    }
  }
}

extension TransferForm.Importing {
  fileprivate func followed<Other: Transferable>(
    by make: @escaping @Sendable (Item) async throws -> Other
  ) -> TransferForm<Other>.Importing {
    switch self {
    case .data(let load): .data { try await make(load($0)) }
    case .file(let inPlace, let load): .file(inPlace: inPlace) { try await make(load($0)) }
    }
  }
}

extension TransferForm.Exporting {
  fileprivate func preceded<Other: Transferable>(
    by proxy: @escaping @Sendable (Other) async throws -> Item
  ) -> TransferForm<Other>.Exporting {
    switch self {
    case .data(let write): .data { try await write(proxy($0)) }
    case .file(let write): .file { try await write(proxy($0)) }
    }
  }
}

extension String: Transferable {
  public static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .utf8PlainText) {
      Data($0.utf8)
    } importing: { data in
      guard let text = String(data: data, encoding: .utf8) else {
        throw CocoaError(.fileReadInapplicableStringEncoding)
      }
      return text
    }
  }
}

extension Data: Transferable {
  public static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .data) {
      $0
    } importing: {
      $0
    }
  }
}

extension URL: Transferable {
  public static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .url) {
      Data($0.absoluteString.utf8)
    } importing: { data in
      let text = String(decoding: data, as: UTF8.self)
      guard let url = URL(string: text) else {
        throw CocoaError(
          .coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: "“\(text.prefix(200))” is no address"])
      }
      return url
    }
  }
}

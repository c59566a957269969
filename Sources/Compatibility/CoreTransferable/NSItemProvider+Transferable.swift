extension NSItemProvider {
  /// Registers the forms of a value. The value is made by each load.
  public func register<Item: Transferable>(_ transferable: @autoclosure @escaping @Sendable () -> Item) {
    for form in TransferForm<Item>.all(of: Item.transferRepresentation) {
      switch form.exporting {
      case .data(let write):
        registerDataRepresentation(for: form.contentType) { completionHandler in
          Task {
            do { completionHandler(try await write(transferable()), nil) } catch { completionHandler(nil, error) }
          }
          return nil
        }
      case .file(let write):
        registerFileRepresentation(for: form.contentType) { completionHandler in
          Task {
            do { completionHandler(try await write(transferable()).file, false, nil) } catch {
              completionHandler(nil, false, error)
            }
          }
          return nil
        }
      case nil: break
      }
    }
  }

  /// Loads the item as a value, in the first form of this type that the item has. Calls the handler
  /// once, on a queue of its own. The progress is that of the bytes.
  @discardableResult
  public func loadTransferable<Item: Transferable>(
    type: Item.Type, completionHandler: @escaping @Sendable (Result<Item, any Error>) -> Void
  ) -> Progress {
    switch form(of: type) {
    case (let contentType, .data(let make))?:
      return loadDataRepresentation(for: contentType) { data, error in
        guard let data else { return completionHandler(.failure(error ?? CocoaError(.fileReadUnknown))) }
        Task { completionHandler(await Self.result { try await make(data) }) }
      }
    case (let contentType, .file(let inPlace, let make))?:
      return loadItemFile(contentType.identifier, inPlace: inPlace) { file, error in
        guard let file else { return completionHandler(.failure(error ?? CocoaError(.fileReadUnknown))) }
        Task {
          // The file exists as long as this reference.
          defer { withExtendedLifetime(file) {} }
          let received = ReceivedTransferredFile(file: file.url, isOriginalFile: file.isInPlace)
          completionHandler(await Self.result { try await make(received) })
        }
      }
    case nil:
      // The error names the types that the item has.
      return loadItemFile("\(type)", inPlace: false) { _, error in
        completionHandler(.failure(error ?? CocoaError(.fileReadUnknown)))
      }
    }
  }

  /// Returns whether the item has a form in which values of the type are loaded.
  package func canLoadTransferable<Item: Transferable>(_ type: Item.Type) -> Bool { form(of: type) != nil }

  private func form<Item: Transferable>(of type: Item.Type) -> (UTType, TransferForm<Item>.Importing)? {
    TransferForm<Item>.all(of: Item.transferRepresentation).lazy.compactMap { form in
      guard let importing = form.importing, self.hasItemConformingToTypeIdentifier(form.contentType.identifier) else {
        return nil
      }
      return (form.contentType, importing)
    }.first
  }

  private static func result<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    do { return .success(try await work()) } catch { return .failure(error) }
  }
}

import Foundation
internal import LibraryStore

/// Undo and the history for people. The owner sees and undoes every transaction, and a client its
/// own.
extension PHPhotoLibrary {
  /// Returns the latest transactions, newest first. `number` restricts them to earlier ones than
  /// that.
  ///
  /// Transactions that only changed the access of clients are left out. For a client with limited
  /// access, so are those that changed nothing that it still sees. Throws `accessUserDenied` or
  /// `accessRestricted` if the client may not read.
  public func transactions(limit: Int = 50, before number: Int64? = nil) throws -> [LibraryTransaction] {
    try withPhotosErrors {
      let selection = try accessToHistory().selection
      let query = TransactionQuery(
        limit: limit, before: number, author: client == nil ? nil : author, selection: selection,
        concealsHidden: try concealsHidden())
      let store = try engine.available()
      let history = history(of: selection, in: store)
      return try store.transactions(query).map { LibraryTransaction($0, libraryUUID: history) }
    }
  }

  /// Returns the transaction with this number; `nil` if the history does not contain it, or if it
  /// is another one's and this is a client's library.
  public func transaction(_ number: Int64) throws -> LibraryTransaction? {
    guard number > 0, number < .max else { return nil }
    return try transactions(limit: 1, before: number + 1).first { $0.number == number }
  }

  /// Undoes a transaction, by default the newest one of this owner or client that can be undone.
  /// Returns the transaction that this makes.
  ///
  ///     let undo = try await library.undo()
  ///     try await library.redo(undo.number)
  ///
  /// Restores the changed values, and leaves everything else as it is. Created assets are
  /// moved to Recently Deleted; the owner has to confirm that for a client. Undoing an undo is a
  /// redo. Transactions can be undone for as long as the history is kept.
  ///
  /// - Throws an `UndoError` if something has been changed since, if something was permanently
  ///   deleted, or if there is no such transaction. In that case, nothing is changed.
  /// - Throws the errors of `performChanges`.
  @discardableResult
  public func undo(_ number: Int64? = nil) async throws -> LibraryTransaction { try await reverse(.undo, number) }

  /// Redoes an undone transaction. By default, this is the one that this owner or client undid
  /// last; there is none if it has changed something else since. `number` is that of the
  /// transaction or of its undo.
  @discardableResult
  public func redo(_ number: Int64? = nil) async throws -> LibraryTransaction { try await reverse(.redo, number) }

  /// Undoes a transaction for a request that its sender may repeat, and records it as carried out.
  package func undo(_ number: Int64?, for request: KnownRequest?) async throws -> LibraryTransaction {
    try await reverse(.undo, number, for: request)
  }

  /// Makes the changes of an undone transaction again for a request that its sender may repeat.
  package func redo(_ number: Int64?, for request: KnownRequest?) async throws -> LibraryTransaction {
    try await reverse(.redo, number, for: request)
  }

  private func reverse(
    _ direction: UndoDirection, _ number: Int64?, for request: KnownRequest? = nil
  ) async throws -> LibraryTransaction {
    try await withCheckedThrowingContinuation { continuation in
      changeQueue.async { [self] in
        continuation.resume(with: Result { try commitReversal(direction, number, for: request) })
      }
    }
  }

  /// Called on the change queue.
  private func commitReversal(
    _ direction: UndoDirection, _ number: Int64?, for request: KnownRequest?
  ) throws -> LibraryTransaction {
    do {
      let store = try engine.available()
      let (demands, number, selection) = try demands(direction, number, in: store)
      try ensureAllowed(demands)
      if let error = engine.situations.nextCommitError() { throw error }
      let undone = try store.commit(isDeletion: false, by: author) { transaction in
        let access = try access(in: transaction, allowing: demands)
        // If the access has changed meanwhile, the number belongs to another transaction.
        guard access.selection?.id == selection?.id else {
          throw PHPhotosError(.operationInterrupted, "the access of \(clientName) has changed; try again")
        }
        let reversal = try transaction.reversal(direction, of: number, by: author, limitedTo: access.selection)
        try check(reversal, access, in: transaction)
        try transaction.apply(reversal)
        if var request = request?.record, let made = try transaction.number() {
          request.transaction = made
          guard try transaction.record(request) else { throw TransactionNote.RepeatedRequest() }
        }
        return reversal
      }
      engine.emptyExpiredTrashIfDue()
      // Without a change there is no transaction: what was to be restored was permanently deleted.
      guard let made = try store.reverser(of: undone.number) else {
        throw UndoFailure(.permanentlyDeleted, undone.shownNumber)
      }
      guard let number = try changeToken(after: made)?.number, let transaction = try transaction(number) else {
        throw PHPhotosError(
          .accessUserDenied, "the transaction is undone, but \(clientName) does not see that any more")
      }
      return transaction
    } catch let failure as UndoFailure {
      if try conceals(failure) { throw hiddenIsLocked }
      throw UndoError(failure, isRedo: direction == .redo)
    } catch is HiddenIsLocked {
      throw hiddenIsLocked
    } catch is UnseenAssets {
      throw unseenAssets
    } catch {
      throw PHPhotosError(error)
    }
  }

  /// Whether a failure names a hidden asset that is locked.
  private func conceals(_ failure: UndoFailure) throws -> Bool {
    let assets = failure.conflicts.filter { $0.type == .asset }.map(\.uuid)
    guard !assets.isEmpty, try concealsHidden() else { return false }
    return try withPhotosErrors { try engine.available().hasHidden(among: assets) }
  }

  private var hiddenIsLocked: any Error {
    client == nil ? HiddenIsLocked() : PHPhotosError(.accessUserDenied, "hidden photos and videos are locked")
  }

  private var unseenAssets: PHPhotosError {
    PHPhotosError(.identifierNotFound, "\(clientName) does not see all assets of this transaction any more")
  }

  /// Returns the permissions that the undo needs, the number of the transaction, and the client if
  /// the number is a position in its own history. The owner needs no permission.
  private func demands(
    _ direction: UndoDirection, _ number: Int64?, in store: LibraryStore
  ) throws -> ([ChangeDemand], Int64?, ClientRecord?) {
    guard client != nil else { return ([], number, nil) }
    let selection = try accessToHistory().selection
    return try store.inspect { transaction in
      let reversal = try transaction.reversal(direction, of: number, by: author, limitedTo: selection)
      var demands: [ChangeDemand] = [reversal.changesCollections ? .changeCollections : .changeAssets]
      let trashed = try transaction.assetsTrashed(by: reversal).map(PHAsset.localIdentifier(uuid:))
      if !trashed.isEmpty { demands.append(.delete(.init(.assets, localIdentifiers: trashed))) }
      for (kind, uuid) in reversal.deletedCollections {
        demands.append(
          .delete(
            .init(
              kind == .folder ? .folders : .albums,
              localIdentifiers: [PHCollection.localIdentifier(uuid: uuid, kind: kind)])))
      }
      return (demands, reversal.shownNumber, selection)
    }
  }

  /// Throws if the undo would change an asset that the client does not see any more, or a hidden
  /// one that is locked: undoing "hide" would show it.
  private func check(_ reversal: Reversal, _ access: LibraryAccess, in transaction: StoreTransaction) throws {
    if try concealsHidden(), try !transaction.hidden(among: reversal.assets).isEmpty { throw HiddenIsLocked() }
    guard let client = access.selection else { return }
    let assets = reversal.assetsToSee
    guard try transaction.selected(among: assets, for: client).count == assets.count else { throw unseenAssets }
  }
}

extension PHPhotoLibrary {
  /// The owner or the client that this library's changes are recorded for.
  var author: TransactionAuthor { client.map { .client(identifier: $0.identifier) } ?? .owner }
}

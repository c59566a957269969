import Foundation
import Photos
import Synchronization

/// The edits that are being rendered, or that wait for it. Rendering a long movie takes minutes. An
/// edit of the owner goes on after the page that began it is closed.
///
/// Each rendering has a thread and large buffers, so few are rendered at once: two photos and two
/// movies of the owner, and as many of all clients. A photo does not wait for movies, nor the owner
/// for clients.
final class RunningEdits: Sendable {
  /// The edits of one change, which are rendered one after another.
  struct Edit: Sendable {
    var id: String
    /// The client that sent the change; `nil` for the owner.
    var client: String?
    var assets: [String]
    /// The part that is rendered, from 0 to 1.
    var progress = 0.0
  }

  private struct Running {
    /// The place in the order of their beginning.
    var number: Int
    var edit: Edit
    var cancel: @Sendable () -> Void
  }

  private struct State {
    var running: [String: Running] = [:]
    var count = 0
  }

  private let state = Mutex(State())
  private let feed: ChangeFeed
  private let ofOwner = Queues()
  private let ofClients = Queues()

  private struct Queues {
    let photos = PictureWork(of: "edits")
    let movies = PictureWork(of: "edits")
  }

  init(feed: ChangeFeed) { self.feed = feed }

  /// Returns the edits that a requester with this library may see, the oldest one first: the owner
  /// sees all, and a client sees its own. If the hidden assets are locked for the owner's session,
  /// they are left out, and so are edits that have no others.
  func seen(in library: PHPhotoLibrary) async throws -> [Edit] {
    let client = library.client
    let edits = state.withLock { Array($0.running.values) }.sorted { $0.number < $1.number }.map(\.edit)
      .filter { client == nil || $0.client == client?.identifier }
    guard library.isWithoutHidden, !edits.isEmpty else { return edits }
    return try await Blocking.run {
      let options = PHFetchOptions()
      options.photoLibrary = library
      let found = PHAsset.fetchAssets(withLocalIdentifiers: edits.flatMap(\.assets), options: options)
      let shown = Set(try found.all().map(\.uuid))
      return edits.compactMap { edit in
        var edit = edit
        edit.assets.removeAll { !shown.contains($0) }
        return edit.assets.isEmpty ? nil : edit
      }
    }
  }

  /// Cancels an edit. Nothing of its change is done. Throws 404 if no such edit is being rendered,
  /// or if a requester with this library does not see it.
  func cancel(_ id: String, in library: PHPhotoLibrary) async throws {
    guard try await seen(in: library).contains(where: { $0.id == id }),
      state.withLock({ state in state.running[id].map { $0.cancel() } }) != nil
    else { throw Failure(.notFound, "there is no edit \(id) that is being rendered") }
  }

  /// Renders edits one after another, and tells the owner's pages how far they are. Throws 409 if
  /// somebody cancels them, and 429 if too many requests wait already.
  func render(
    _ edits: [(change: Int, asset: PHAsset, edit: PhotoEdit)], for client: LibraryClient?
  ) async throws -> [RenderedEdit] {
    guard !edits.isEmpty else { return [] }
    let queues = client == nil ? ofOwner : ofClients
    let work = edits.contains { $0.asset.mediaType == .video } ? queues.movies : queues.photos
    let id = UUID().uuidString
    // Each request of the owner counts as another asker, so only the limit of all applies.
    let place = try work.begin(for: client?.identifier ?? id)
    defer { withExtendedLifetime(place) {} }
    let task = Task {
      var rendered: [RenderedEdit] = []
      for (change, asset, edit) in edits {
        let done = Double(rendered.count)
        let progress: @Sendable (Double) -> Void = { [weak self] share in
          self?.report((done + share) / Double(edits.count), of: id)
        }
        do {
          rendered.append(
            try await work.run { try await asset.renderedEdit(progressHandler: progress) { $0 = edit } })
        } catch let error as PHPhotosError {
          throw Failure(error).inChange(change)
        }
      }
      return rendered
    }
    let edit = Edit(id: id, client: client?.identifier, assets: edits.map(\.asset.uuid))
    state.withLock { state in
      state.count += 1
      state.running[id] = Running(number: state.count, edit: edit, cancel: task.cancel)
    }
    feed.put(.edits)
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
      end(id)
    }
    end(id)
    // It may have been canceled when it had just been rendered.
    guard !task.isCancelled else {
      throw Failure(.conflict, "the edit was canceled; nothing was changed", problem: .canceled)
    }
    return try result.get()
  }

  /// Removes an edit from the list.
  private func end(_ id: String) {
    if state.withLock({ $0.running.removeValue(forKey: id) }) != nil { feed.put(.edits) }
  }

  /// Notes progress in whole percents.
  private func report(_ progress: Double, of id: String) {
    let isNews = state.withLock { state in
      guard let before = state.running[id]?.edit.progress, Int(100 * progress) > Int(100 * before) else { return false }
      state.running[id]?.edit.progress = progress
      return true
    }
    if isNews { feed.put(.edits) }
  }
}

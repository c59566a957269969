import Foundation
import Hummingbird
import Photos

/// The part of the server that changes the library, and reports changes.
struct ChangeService: Sendable {
  let feed: ChangeFeed
  let confirmations: Confirmations
  private let edits: RunningEdits
  private let library: PHPhotoLibrary
  private let signIn: SignInService
  private let times: EventStream.Times

  init(
    library: PHPhotoLibrary, access: AccessService, signIn: SignInService, times: EventStream.Times,
    clock: @escaping @Sendable () -> Date
  ) {
    self.library = library
    self.signIn = signIn
    self.times = times
    feed = ChangeFeed(library: library, access: access.events, interval: times.check)
    confirmations = Confirmations(feed: feed, access: access.events, clock: clock)
    edits = RunningEdits(feed: feed)
  }

  /// Adds the routes. Those to which an open page stays connected are added to `waiting`.
  func add(to routes: RouterGroup<ServerContext>, waiting: RouterGroup<ServerContext>) {
    ChangeRoutes(confirmations: confirmations, edits: edits, signIn: signIn).add(to: routes)
    UndoRoutes(confirmations: confirmations, edits: edits).add(to: routes)
    EditRoutes(edits: edits).add(to: routes)
    ConfirmationRoutes(confirmations: confirmations, library: library, signIn: signIn).add(to: routes)
    EventRoutes(feed: feed, times: times).add(to: waiting)
  }
}

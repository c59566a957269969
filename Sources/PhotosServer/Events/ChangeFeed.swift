import Foundation
import Photos
import Synchronization

/// Signals the open event streams of a server after changes. One observer watches the library for
/// all streams, so a commit of any process reaches each of them within milliseconds.
final class ChangeFeed: NSObject, PHPhotoLibraryPersistentChangesObserver, Sendable {
  private let library: PHPhotoLibrary
  private let access: AccessEvents
  /// The time between two checks of a stream: whether its session has expired or was ended by
  /// another process, and whether a heartbeat is due.
  private let interval: Duration
  private let state = Mutex(State())

  private struct State {
    var subscriptions: [ObjectIdentifier: Subscription] = [:]
    var isObserving = false
    /// The tasks that run as long as a stream is open.
    var tasks: [Task<Void, Never>] = []
  }

  /// The kinds of news. A stream that has not read one kind yet gets it once.
  struct News: OptionSet, Sendable {
    let rawValue: Int
    static let changes = News(rawValue: 1)
    static let requests = News(rawValue: 2)
    static let confirmations = News(rawValue: 4)
    static let tick = News(rawValue: 8)
    static let hiddenLock = News(rawValue: 16)
    /// The session or the token of the stream may have ended.
    static let ending = News(rawValue: 32)
    /// An edit that is being rendered has begun, has come further, or has ended.
    static let edits = News(rawValue: 64)
  }

  /// One stream's place in the feed. It takes the same memory however slowly its client reads.
  final class Subscription: Sendable {
    fileprivate let sender: String
    /// Yields when there are news.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let news = Mutex<News>([])

    fileprivate init(sender: String) {
      self.sender = sender
      (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    fileprivate func put(_ new: News) {
      news.withLock { $0.formUnion(new) }
      continuation.yield()
    }

    /// Returns the news since the last call.
    func take() -> News {
      news.withLock { news in
        defer { news = [] }
        return news
      }
    }
  }

  static let limitOfSender = 32

  init(library: PHPhotoLibrary, access: AccessEvents, interval: Duration) {
    self.library = library
    self.access = access
    self.interval = interval
    super.init()
  }

  var streamCount: Int { state.withLock(\.subscriptions.count) }

  /// Opens a stream. Throws 429 if its sender has too many.
  func open(for sender: String) throws -> Subscription {
    let subscription = Subscription(sender: sender)
    try state.withLock { state in
      guard state.subscriptions.values.count(where: { $0.sender == sender }) < Self.limitOfSender else {
        throw Failure(
          .tooManyRequests, "at most \(Self.limitOfSender) event streams can be open at once", [.retryAfter: "1"])
      }
      if !state.isObserving {
        library.register(self)
        state.isObserving = true
      }
      state.subscriptions[ObjectIdentifier(subscription)] = subscription
      if state.tasks.isEmpty { state.tasks = startTasks() }
    }
    // The reader's position may be older than the latest commit, and its session may have ended
    // since the request was let in.
    subscription.put([.changes, .ending])
    return subscription
  }

  func close(_ subscription: Subscription) {
    state.withLock { state in
      state.subscriptions[ObjectIdentifier(subscription)] = nil
      guard state.subscriptions.isEmpty else { return }
      for task in state.tasks { task.cancel() }
      state.tasks = []
    }
  }

  func put(_ news: News) {
    for subscription in state.withLock({ Array($0.subscriptions.values) }) { subscription.put(news) }
  }

  func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) { put(.changes) }

  private func startTasks() -> [Task<Void, Never>] {
    let events = access.stream()
    return [
      Task { [weak self, interval] in
        while (try? await Task.sleep(for: interval)) != nil { self?.put(.tick) }
      },
      Task { [weak self] in
        for await event in events {
          switch event {
          case .requests: self?.put(.requests)
          // The client may have been forgotten, with its tokens.
          case .client: self?.put([.changes, .ending])
          case .ending: self?.put(.ending)
          case .hiddenLock: self?.put(.hiddenLock)
          }
        }
      },
    ]
  }
}

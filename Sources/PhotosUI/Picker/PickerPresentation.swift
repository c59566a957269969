/// One presentation of a picker, from its opening to its answer.
@MainActor final class PickerPresentation {
  /// The items that a person has picked.
  struct Answer {
    var items: [PickedItem]
    var isCancelled: Bool
  }

  private let request: PickerRequest
  private let library: PHPhotoLibrary
  private let now: @Sendable () -> Date
  private var session: (any PickerSession)?
  private(set) var delivery: PickedDelivery?
  /// The reason that the picker could not be shown, or that it ended.
  private(set) var problem: PHPhotosError?

  init(_ request: PickerRequest, of library: PHPhotoLibrary, now: @escaping @Sendable () -> Date = { Date() }) {
    self.request = request
    self.library = library
    self.now = now
  }

  /// Closes the picker of a controller that was released without being dismissed.
  deinit { session?.close() }

  /// Shows the picker. Calls the handler on the main queue with each answer. If the picker can't be
  /// shown, because of `obstacle` or another reason, the answer is that it was canceled.
  func begin(unless obstacle: PHPhotosError? = nil, _ handler: @escaping @MainActor (Answer) -> Void) {
    do {
      if let obstacle { throw obstacle }
      let session = try PickerSessions.make(for: library)
      (self.session, delivery) = (session, PickedDelivery(session, now: now))
      session.open(request) { [weak self] event in
        DispatchQueue.main.async { [weak self] in
          MainActor.assumeIsolated { self?.take(event, handler) }
        }
      }
    } catch {
      DispatchQueue.main.async { [weak self] in
        MainActor.assumeIsolated { self?.take(.failed(PHPhotosError(picking: error)), handler) }
      }
    }
  }

  func send(_ command: PickerCommand) { session?.send(command) }

  /// Closes the picker without an answer. What was picked can still be loaded.
  func end() {
    session?.close()
    session = nil
    isEnded = true
    delivery?.noteAnswer()
  }

  private var isEnded = false

  private func take(_ event: PickerEvent, _ handler: @MainActor (Answer) -> Void) {
    guard !isEnded else { return }
    if case .changed = event {} else { delivery?.noteAnswer() }
    let answer: Answer
    switch event {
    case .changed(let items), .picked(let items): answer = Answer(items: items, isCancelled: false)
    case .cancelled(let items): answer = Answer(items: items, isCancelled: true)
    case .failed(let error):
      problem = error
      StandardError.write("The picker ended: \(error.localizedDescription)\n")
      answer = Answer(items: request.keptItems, isCancelled: true)
    }
    library.asShared { handler(answer) }
  }
}

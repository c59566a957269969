import Synchronization

/// An open picker that a function operates instead of a person, in tests and in programs without a
/// screen.
///
///     library.answerPickers { picker in picker.pick(picker.assets.prefix(2)) }
///
/// It does what a person could do: it shows what the filter allows, selects nothing beyond the
/// limit, and Add may be disabled. It acts for the library's owner, so it sees assets that the
/// program may not see. Any thread may use it.
public final class OpenPicker: Sendable {
  private let library: PHPhotoLibrary
  private let operate: @Sendable (OpenPicker) -> Void
  private let state = Mutex(State())
  /// Items are described and events are sent on this queue, in their order.
  let events = DispatchQueue(label: "OpenPicker.events")

  private struct State {
    var request = PickerRequest()
    var selection = PickerSelection(limit: 1, preselected: [])
    var handler: (@Sendable (PickerEvent) -> Void)?
    /// The names that assets have in this session.
    var items: [String: String] = [:]
    /// The assets that were handed over, by these names.
    var handedOver: [String: PickedAsset] = [:]
  }

  init(_ library: PHPhotoLibrary, _ operate: @escaping @Sendable (OpenPicker) -> Void) {
    // Picking needs no permission: the person who picks is the owner.
    self.library = library.photoLibrary(for: nil)
    self.operate = operate
  }

  /// The shown assets, the newest first.
  public var assets: [PHAsset] {
    let request = state.withLock(\.request)
    let found = fetch(request.filter?.predicate, searchText: request.searchText)
    return found.objects(at: IndexSet(0..<found.count))
  }

  /// The identifiers of the selected assets, in their order.
  public var selection: [String] { state.withLock(\.selection.identifiers) }

  /// The most items that can be selected; 0 for no limit.
  public var selectionLimit: Int { state.withLock(\.selection.limit) }

  /// Whether the button Add is enabled.
  public var canAdd: Bool { state.withLock { $0.handler != nil && $0.selection.canAdd } }

  /// Whether the picker is still open.
  public var isOpen: Bool { state.withLock { $0.handler != nil } }

  /// Selects an asset, as a tap does. Does nothing if the picker doesn't show it, or at the limit.
  /// If one item is picked without a preselection, this also hands it over.
  public func select(_ identifier: String) {
    let request = state.withLock(\.request)
    guard let asset = shown([identifier], request.filter?.predicate).first else { return }
    change { $0.select(asset.localIdentifier) }
    if request.selectionLimit == 1, request.preselected.isEmpty, !request.selection.isContinuous { add() }
  }

  /// Deselects an asset, as a tap on a selected one does.
  public func deselect(_ identifier: String) { change { $0.deselect([identifier]) } }

  /// Presses Add. Does nothing if the button is disabled.
  public func add() {
    guard canAdd else { return }
    finish { .picked($0) }
  }

  /// Presses Cancel.
  public func cancel() {
    let preselected = state.withLock(\.request.preselected)
    finish(shown(preselected, nil).map(\.localIdentifier)) { .cancelled($0) }
  }

  /// Selects exactly these assets, in their order, and presses Add.
  public func pick(_ wanted: some Sequence<PHAsset>) { pick(wanted.map(\.localIdentifier)) }

  /// Selects exactly these assets, in their order, and presses Add.
  public func pick(_ identifiers: [String]) {
    for selected in selection where !identifiers.contains(selected) { deselect(selected) }
    for identifier in identifiers { select(identifier) }
    add()
  }

  // MARK: Selecting

  private func change(_ change: (inout PickerSelection) -> Bool) {
    let isReported = state.withLock { state in
      guard state.handler != nil, change(&state.selection) else { return false }
      return state.request.selection.isContinuous
    }
    if isReported { report(selection) { .changed($0) } }
  }

  /// Ends the picker with an event about the selection, or about the given assets.
  private func finish(_ identifiers: [String]? = nil, _ event: @escaping @Sendable ([PickedItem]) -> PickerEvent) {
    report(identifiers ?? selection, isLast: true, event)
  }

  private func report(
    _ identifiers: [String], isLast: Bool = false, _ event: @escaping @Sendable ([PickedItem]) -> PickerEvent
  ) {
    let handler = state.withLock { state in
      defer { if isLast { state.handler = nil } }
      return state.handler
    }
    guard let handler else { return }
    events.async { [self] in
      do { handler(event(try items(identifiers))) } catch { handler(.failed(PHPhotosError(picking: error))) }
    }
  }

  private func items(_ identifiers: [String]) throws -> [PickedItem] {
    let request = state.withLock(\.request)
    return try shown(identifiers, nil).map { asset in
      let picked = PickedAsset(
        asset: asset, representation: request.representation, removing: request.metadataOptions)
      let item = state.withLock { state in
        let item = state.items[asset.localIdentifier] ?? UUID().uuidString
        state.items[asset.localIdentifier] = item
        state.handedOver[item] = picked
        return item
      }
      return PickedItem(
        item: item, identifier: request.identifiers ? asset.localIdentifier : nil,
        isLivePhoto: asset.playbackStyle == .livePhoto, types: try picked.files(), name: picked.name)
    }
  }

  // MARK: Fetching as the owner

  private func fetch(_ predicate: NSPredicate?, searchText: String? = nil) -> PHFetchResult<PHAsset> {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.predicate = predicate
    options.searchText = searchText
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    return PHAsset.fetchAssets(with: options)
  }

  /// Returns those of the assets that a picker shows, in the order of their identifiers: none that
  /// are hidden or deleted.
  private func shown(_ identifiers: [String], _ predicate: NSPredicate?) -> [PHAsset] {
    guard !identifiers.isEmpty else { return [] }
    let among = NSPredicate(format: "localIdentifier IN %@", identifiers)
    let found = fetch(predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, among]) } ?? among)
    let assets = found.objects(at: IndexSet(0..<found.count))
    let byUUID = Dictionary(assets.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    return identifiers.compactMap { byUUID[PHObject.uuid(localIdentifier: $0)] }
  }
}

extension OpenPicker: PickerSession {
  package func open(_ request: PickerRequest, _ handler: @escaping @Sendable (PickerEvent) -> Void) {
    // A filter hides no asset that was picked before.
    let preselected = shown(request.preselected, nil).map(\.localIdentifier)
    state.withLock { state in
      state.request = request
      state.selection = PickerSelection(limit: request.selectionLimit, preselected: preselected)
      state.handler = handler
    }
    DispatchQueue.global().async { [self] in operate(self) }
  }

  package func send(_ command: PickerCommand) {
    state.withLock { state in
      guard state.handler != nil else { return }
      switch command {
      case .update(let limit, _, let text):
        if let limit { state.selection.limit = max(0, limit) }
        if let text { state.request.searchText = text }
      case .deselect(let identifiers): _ = state.selection.deselect(identifiers)
      case .move(let identifier, let other): state.selection.move(identifier, after: other)
      // There is no view to scroll.
      case .scrollToInitialPosition, .zoomIn, .zoomOut: break
      }
    }
  }

  package func write(_ kind: PickedItem.Kind, of item: PickedItem, to file: URL, _ progress: Progress) throws {
    guard let asset = state.withLock({ $0.handedOver[item.item] }) else {
      throw PHPhotosError(.identifierNotFound, picking: "\(item.name): it was not picked")
    }
    try asset.write(kind, to: file, progress)
  }

  package func close() { state.withLock { $0.handler = nil } }
}

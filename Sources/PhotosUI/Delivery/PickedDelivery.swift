import Synchronization

/// Hands over what was picked in one session, as item providers.
///
/// The providers keep the session alive. They fail an hour after the picker was answered. While it
/// is open, that hour has not begun.
final class PickedDelivery: Sendable {
  private let session: any PickerSession
  private let now: @Sendable () -> Date
  private let deadline = Mutex<Date?>(nil)

  static let lifetime: TimeInterval = 3600

  init(_ session: any PickerSession, now: @escaping @Sendable () -> Date = { Date() }) {
    self.session = session
    self.now = now
  }

  /// Begins the hour, unless it has begun.
  func noteAnswer() { deadline.withLock { $0 = $0 ?? now().addingTimeInterval(Self.lifetime) } }

  func provider(for item: PickedItem) -> NSItemProvider {
    let provider = NSItemProvider()
    let name = ItemFolder.safeName((item.name as NSString).deletingPathExtension)
    provider.suggestedName = name
    if item.isLivePhoto, let bundle = UTType("com.apple.live-photo-bundle") {
      provider.registerTransfer(for: bundle) { [self] folder, progress in
        try writeLivePhoto(item, named: name, in: folder, progress)
      }
    }
    if let main = item.types.first(where: { $0.kind == .main }) {
      let type = UTType(main.uniformType) ?? UTType(importedAs: main.uniformType)
      provider.registerTransfer(for: type) { [self] folder, progress in
        try write(main, of: item, named: name, in: folder, progress)
      }
    }
    return provider
  }

  /// Writes the folder of a Live Photo, with its still and its movie as they are stored.
  private func writeLivePhoto(
    _ item: PickedItem, named name: String, in folder: URL, _ progress: Progress
  ) throws -> URL {
    let bundle = folder.appendingPathComponent("\(name).pvt", isDirectory: true)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: false)
    let still = item.types.first { $0.kind == .still } ?? item.types.first { $0.kind == .main }
    let files = [still, item.types.first { $0.kind == .pairedVideo }].compactMap(\.self)
    for file in files {
      let share = Progress.discreteProgress(totalUnitCount: 100)
      progress.addChild(share, withPendingUnitCount: progress.totalUnitCount / Int64(files.count))
      _ = try write(file, of: item, named: name, in: bundle, share)
      share.completedUnitCount = share.totalUnitCount
      if progress.isCancelled { throw CancellationError() }
    }
    return bundle
  }

  private func write(
    _ file: PickedItem.File, of item: PickedItem, named name: String, in folder: URL, _ progress: Progress
  ) throws -> URL {
    guard deadline.withLock({ $0.map { now() < $0 } ?? true }) else {
      throw PHPhotosError(.operationInterrupted, picking: "\(item.name): the picker's hour is over; pick it again")
    }
    let ending = UTType(file.uniformType)?.preferredFilenameExtension ?? "data"
    let url = folder.appendingPathComponent("\(name).\(ending)")
    try session.write(file.kind, of: item, to: url, progress)
    return url
  }
}

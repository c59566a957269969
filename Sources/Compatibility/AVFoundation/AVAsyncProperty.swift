/// A property that takes time to read.
public struct AVAsyncProperty<Root, Value>: Sendable {
  let read: @Sendable (Root) throws -> Value
}

extension AVAsset {
  /// Reads a property. Throws if the file can't be read as a movie or a sound.
  public func load<Value: Sendable>(_ property: AVAsyncProperty<AVAsset, Value>) async throws -> Value {
    do { return try property.read(self) } catch { throw unreadable(error) }
  }
}

extension AVAssetTrack {
  /// Returns a property. Never throws, since the track has been read already.
  public func load<Value: Sendable>(_ property: AVAsyncProperty<AVAssetTrack, Value>) async throws -> Value {
    try property.read(self)
  }
}

extension AVAsset {
  public func load<A: Sendable, B: Sendable>(
    _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>
  ) async throws -> (A, B) { (try await load(a), try await load(b)) }

  public func load<A: Sendable, B: Sendable, C: Sendable>(
    _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>, _ c: AVAsyncProperty<AVAsset, C>
  ) async throws -> (A, B, C) { (try await load(a), try await load(b), try await load(c)) }
}

extension AVAssetTrack {
  public func load<A: Sendable, B: Sendable>(
    _ a: AVAsyncProperty<AVAssetTrack, A>, _ b: AVAsyncProperty<AVAssetTrack, B>
  ) async throws -> (A, B) { (try await load(a), try await load(b)) }

  public func load<A: Sendable, B: Sendable, C: Sendable>(
    _ a: AVAsyncProperty<AVAssetTrack, A>, _ b: AVAsyncProperty<AVAssetTrack, B>, _ c: AVAsyncProperty<AVAssetTrack, C>
  ) async throws -> (A, B, C) { (try await load(a), try await load(b), try await load(c)) }
}

extension AVMetadataItem {
  /// Returns a property. Never throws, since the item has been read with its movie.
  public func load<Value>(_ property: AVAsyncProperty<AVMetadataItem, Value>) async throws -> sending Value {
    try property.read(self)
  }

  public func load<A, B>(
    _ a: AVAsyncProperty<AVMetadataItem, A>, _ b: AVAsyncProperty<AVMetadataItem, B>
  ) async throws -> sending (A, B) { (try a.read(self), try b.read(self)) }

  public func load<A, B, C>(
    _ a: AVAsyncProperty<AVMetadataItem, A>, _ b: AVAsyncProperty<AVMetadataItem, B>,
    _ c: AVAsyncProperty<AVMetadataItem, C>
  ) async throws -> sending (A, B, C) { (try a.read(self), try b.read(self), try c.read(self)) }
}

/// Returns AVFoundation's error for a file that can't be read.
func unreadable(_ error: any Error) -> NSError {
  NSError(
    domain: AVFoundationErrorDomain, code: fileFormatNotRecognized,
    userInfo: [NSLocalizedDescriptionKey: "\(error)", NSUnderlyingErrorKey: error])
}

// AVFoundation uses this spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
/// `AVError.Code`'s number for a file that is no movie.
private let fileFormatNotRecognized = -11828

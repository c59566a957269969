import Foundation
internal import Imaging
internal import LibraryStore

extension RenditionStore {
  /// Whether this build of the decoders could not read a file within the last day.
  func isKnownAsUnreadable(_ sha256: Data) -> Bool { failure(of: Self.readability, sha256: sha256) != nil }

  /// Notes that this build of the decoders can't read a file.
  func noteUnreadable(_ sha256: Data) {
    storeFailure(of: Self.readability, sha256: sha256, reason: "it can't be read")
  }

  private static let readability = "readability, build \(decoderBuild)"
}

import PhotosTesting
import Testing

/// Gives each test and each case of a test its own `TemporaryLibrary`, which
/// `PHPhotoLibrary.shared()` returns.
///
///     @Test(.photoLibrary(photos: 2)) func twoPhotosAreShown() async throws {
///       #expect(try await Gallery().titles.count == 2)
///     }
///
/// `TemporaryLibrary.current` returns that library, too.
public struct PhotoLibraryTrait: TestTrait, SuiteTrait, TestScoping {
  let isEverywhere: Bool
  let make: @Sendable () throws -> TemporaryLibrary

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let temporary = try make()
    try await TemporaryLibrary.$current.withValue(temporary) {
      if isEverywhere {
        try await temporary.library.asSharedEverywhere(function)
      } else {
        try await temporary.library.asShared(function)
      }
    }
  }
}

extension Trait where Self == PhotoLibraryTrait {
  /// Returns a trait that makes a library with this many photos and videos. `asShared` makes it the
  /// shared library, or `asSharedEverywhere` if `everywhere` is true.
  public static func photoLibrary(photos: Int = 0, videos: Int = 0, everywhere: Bool = false) -> Self {
    photoLibrary(everywhere: everywhere) { try TemporaryLibrary(photos: photos, videos: videos) }
  }

  /// Returns a trait that gets its library from a function.
  ///
  ///     @Suite(.photoLibrary { try TemporaryLibrary(copying: norway) }) struct GalleryTests { … }
  public static func photoLibrary(
    everywhere: Bool = false, _ make: @escaping @Sendable () throws -> TemporaryLibrary
  ) -> Self { PhotoLibraryTrait(isEverywhere: everywhere, make: make) }
}

import Foundation

extension PHPhotoLibrary {
  /// Makes `shared()` return this library while `operation` runs, and inside the library's own
  /// change blocks, handlers and observers. Code that is written for a device's single library can
  /// then be tested with several at once.
  ///
  ///     try await library.asShared { try await appUnderTest.loadPhotos() }
  ///
  /// Tasks that `operation` starts inherit the library. Dispatch queues, threads, operation queues
  /// and detached tasks don't: use `asSharedEverywhere` for code that uses these.
  @discardableResult
  public func asShared<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: operation)
  }

  @discardableResult
  public func asShared<Result>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$current.withValue(self, operation: operation)
  }

  /// Makes `shared()` return this library on every thread and queue while `operation` runs, except
  /// inside another library's `asShared`.
  ///
  ///     await library.asSharedEverywhere { await appUnderTest.loadPhotosOnItsOwnQueue() }
  ///
  /// A process has one such scope at a time. A second one waits for the end of the first.
  @discardableResult
  public func asSharedEverywhere<Result>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
  ) async rethrows -> Result {
    if SharedLibrary.isEverywhere(Self.current) {
      precondition(Self.current === self, "asSharedEverywhere of one library can't run inside another library's")
      return try await operation()
    }
    await SharedLibrary.begin(self)
    defer { SharedLibrary.end() }
    return try await Self.$current.withValue(self, operation: operation)
  }

  /// Makes `shared()` return a library in the whole process, except inside `asShared` and
  /// `asSharedEverywhere`. `nil` restores the default.
  ///
  ///     PHPhotoLibrary.useAsShared(try PHPhotoLibrary(url: url, client: LibraryClient.current))
  public class func useAsShared(_ library: PHPhotoLibrary?) { SharedLibrary.setNamed(library) }

  /// Makes `shared()` trap from now on unless a library is shared, so that it never opens the
  /// default library.
  @_spi(Testing) public static func requireNamedSharedLibrary() { SharedLibrary.requireName() }
}

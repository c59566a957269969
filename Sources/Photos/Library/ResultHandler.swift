import Foundation

/// A handler of the program. While it runs, `PHPhotoLibrary.shared()` returns the given library.
struct ResultHandler<each Argument>: @unchecked Sendable {
  // Handlers are called on one queue, or on the thread of a synchronous request: never twice at the
  // same time.
  private let function: (repeat each Argument) -> Void
  private let library: PHPhotoLibrary?

  /// Makes a handler. Without a library, the handler runs without a change of `shared()`.
  init(in library: PHPhotoLibrary?, _ function: @escaping (repeat each Argument) -> Void) {
    self.library = library
    self.function = function
  }

  func call(_ arguments: repeat each Argument) {
    guard let library else { return function(repeat each arguments) }
    library.asShared { function(repeat each arguments) }
  }
}

extension PHPhotoLibrary {
  /// Returns a handler. While it runs, `shared()` returns this library.
  func sharing<Value>(_ handler: (@Sendable (Value) -> Void)?) -> (@Sendable (Value) -> Void)? {
    guard let handler else { return nil }
    return { value in self.asShared { handler(value) } }
  }
}

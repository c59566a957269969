import Foundation

/// The info that a request's handler gets.
enum RequestInfo {
  static func of(
    _ id: PHImageRequestID, isDegraded: Bool = false, _ error: PHPhotosError?, isInCloud: Bool = false
  ) -> [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [
      PHImageResultRequestIDKey: NSNumber(value: id), PHImageResultIsDegradedKey: isDegraded,
      PHImageResultIsInCloudKey: isInCloud || error?.code == .networkAccessRequired,
    ]
    switch error?.code {
    case nil: break
    case .userCancelled: info[PHImageCancelledKey] = true
    default: info[PHImageErrorKey] = error
    }
    return info
  }
}

/// A program's handler, inside of which `PHPhotoLibrary.shared()` returns a library.
struct ResultHandler<each Argument>: @unchecked Sendable {
  // Called by one queue alone, or by the thread that makes a synchronous request: never twice at the same time.
  private let function: (repeat each Argument) -> Void
  private let library: PHPhotoLibrary?

  /// Without a library, the handler uses the one that is shared where it is called.
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
  /// Returns a handler inside of which `shared()` returns this library.
  func sharing<Value>(_ handler: (@Sendable (Value) -> Void)?) -> (@Sendable (Value) -> Void)? {
    guard let handler else { return nil }
    return { value in self.asShared { handler(value) } }
  }
}

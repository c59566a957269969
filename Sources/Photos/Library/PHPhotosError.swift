import Foundation
internal import LibraryStore

// PhotoKit spells it so.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// What went wrong in the library; `localizedDescription` names the file, key or argument.
///
///     do { try library.performChangesAndWait { … } } catch PHPhotosError.notEnoughSpace { … }
public struct PHPhotosError: _BridgedStoredNSError, Sendable {
  public let _nsError: NSError

  public init(_nsError error: NSError) {
    precondition(error.domain == PHPhotosErrorDomain)
    _nsError = error
  }

  public static var _nsErrorDomain: String { PHPhotosErrorDomain }
  public static var errorDomain: String { PHPhotosErrorDomain }

  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    public typealias _ErrorType = PHPhotosError
    case internalError = -1
    case userCancelled = 3072
    case libraryVolumeOffline = 3114
    case identifierNotFound = 3201
    case operationInterrupted = 3301
    case invalidResource = 3302
    case missingResource = 3303
    case notEnoughSpace = 3305
    case requestNotSupportedForAsset = 3306
  }

  public static var internalError: Code { .internalError }
  public static var userCancelled: Code { .userCancelled }
  public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
  public static var identifierNotFound: Code { .identifierNotFound }
  public static var operationInterrupted: Code { .operationInterrupted }
  public static var invalidResource: Code { .invalidResource }
  public static var missingResource: Code { .missingResource }
  public static var notEnoughSpace: Code { .notEnoughSpace }
  public static var requestNotSupportedForAsset: Code { .requestNotSupportedForAsset }

  init(_ code: Code, _ description: String, cause: (any Error)? = nil) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
    userInfo[NSUnderlyingErrorKey] = cause
    _nsError = NSError(domain: PHPhotosErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// The one place where the store's errors become PhotoKit's.
  init(_ error: any Error) {
    switch error {
    case let error as PHPhotosError: self = error
    case let error as StoreError:
      let code: Code =
        switch error.code {
        case .notEnoughSpace: .notEnoughSpace
        case .cannotRead: .missingResource
        case .notALibrary: .libraryVolumeOffline
        case .madeByNewerVersion, .cannotWrite, .damaged, .busy: .internalError
        }
      self.init(code, error.description, cause: error)
    default: self.init(.internalError, String(describing: error), cause: error)
    }
  }
}

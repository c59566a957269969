internal import Essentials
import Foundation
internal import Imaging
internal import LibraryStore

// The spelling is PhotoKit's.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"
/// The key of the objects' identifiers in an error's `userInfo`, a `[String]`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLocalIdentifiersErrorKey = "PHLocalIdentifiersErrorKey"
/// The value that replaces an identifier that was not found.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLocalIdentifierNotFound = "PHLocalIdentifierNotFound"

// Deprecated by PhotoKit in favor of `PHPhotosError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHPhotosErrorInvalid = PHPhotosError.Code.internalError.rawValue
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHPhotosErrorUserCancelled = PHPhotosError.Code.userCancelled.rawValue
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHPhotosErrorLibraryVolumeOffline = PHPhotosError.Code.libraryVolumeOffline.rawValue
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHPhotosErrorRelinquishingLibraryBundleToWriter = PHPhotosError.Code.relinquishingLibraryBundleToWriter
  .rawValue
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHPhotosErrorSwitchingSystemPhotoLibrary = PHPhotosError.Code.switchingSystemPhotoLibrary.rawValue

/// An error of the library. `localizedDescription` names the file, key or argument.
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
    case persistentChangeTokenExpired = 3105
    case libraryVolumeOffline = 3114
    case relinquishingLibraryBundleToWriter = 3142
    case switchingSystemPhotoLibrary = 3143
    case networkAccessRequired = 3164
    case networkError = 3169
    case identifierNotFound = 3201
    case multipleIdentifiersFound = 3202
    case persistentChangeDetailsUnavailable = 3210
    case changeNotSupported = 3300
    case operationInterrupted = 3301
    case invalidResource = 3302
    case missingResource = 3303
    case notEnoughSpace = 3305
    case requestNotSupportedForAsset = 3306
    case limitExceeded = 3307
    case accessRestricted = 3310
    case accessUserDenied = 3311
    case libraryInFileProviderSyncRoot = 5423
    @available(*, deprecated, renamed: "internalError")
    public static var invalid: Code { .internalError }
  }

  public static var internalError: Code { .internalError }
  public static var userCancelled: Code { .userCancelled }
  public static var persistentChangeTokenExpired: Code { .persistentChangeTokenExpired }
  public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
  public static var relinquishingLibraryBundleToWriter: Code { .relinquishingLibraryBundleToWriter }
  public static var switchingSystemPhotoLibrary: Code { .switchingSystemPhotoLibrary }
  public static var networkAccessRequired: Code { .networkAccessRequired }
  public static var networkError: Code { .networkError }
  public static var identifierNotFound: Code { .identifierNotFound }
  public static var multipleIdentifiersFound: Code { .multipleIdentifiersFound }
  public static var persistentChangeDetailsUnavailable: Code { .persistentChangeDetailsUnavailable }
  public static var changeNotSupported: Code { .changeNotSupported }
  public static var operationInterrupted: Code { .operationInterrupted }
  public static var invalidResource: Code { .invalidResource }
  public static var missingResource: Code { .missingResource }
  public static var notEnoughSpace: Code { .notEnoughSpace }
  public static var requestNotSupportedForAsset: Code { .requestNotSupportedForAsset }
  public static var limitExceeded: Code { .limitExceeded }
  public static var accessRestricted: Code { .accessRestricted }
  public static var accessUserDenied: Code { .accessUserDenied }
  public static var libraryInFileProviderSyncRoot: Code { .libraryInFileProviderSyncRoot }

  init(_ code: Code, _ description: String, cause: (any Error)? = nil, identifiers: [String]? = nil) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
    userInfo[NSUnderlyingErrorKey] = cause
    userInfo[PHLocalIdentifiersErrorKey] = identifiers
    _nsError = NSError(domain: PHPhotosErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  private static let failedRequestKey = "failedRequest"

  /// The position, in its change block, of the request that failed; `nil` if the block failed as a
  /// whole.
  package var failedRequest: Int? { _nsError.userInfo[Self.failedRequestKey] as? Int }

  /// Returns the error of a request at a position in its change block.
  func ofRequest(at position: Int) -> PHPhotosError {
    let userInfo = _nsError.userInfo.merging([Self.failedRequestKey: position]) { $1 }
    return PHPhotosError(_nsError: NSError(domain: _nsError.domain, code: _nsError.code, userInfo: userInfo))
  }

  /// Maps the store's and the decoders' errors to PhotoKit's. No other place does.
  init(_ error: any Error) {
    switch error {
    case let error as PHPhotosError: self = error
    case let error as StoreError:
      let code: Code =
        switch error.code {
        case .notEnoughSpace: .notEnoughSpace
        case .cannotRead: .missingResource
        case .elsewhere: .networkAccessRequired
        case .notALibrary, .replaced: .libraryVolumeOffline
        case .badQuery, .readOnly: .changeNotSupported
        case .tookTooLong: .limitExceeded
        case .busy: .relinquishingLibraryBundleToWriter
        case .madeByNewerVersion, .cannotWrite, .damaged, .failed, .staged: .internalError
        }
      self.init(code, error.description, cause: error)
    case let error as ImagingError:
      let code: Code =
        switch error.code {
        case .cannotOpen, .cannotRead: .missingResource
        case .damaged, .unsupported, .unknownType, .tooLarge, .crashed: .invalidResource
        case .tookTooLong: .operationInterrupted
        case .cannotEncode, .missingProgram: .internalError
        case .notEnoughSpace: .notEnoughSpace
        }
      self.init(code, error.description, cause: error)
    case let error as CocoaError where error.code == .fileWriteOutOfSpace:
      let path = error.filePath ?? error.url?.path
      self.init(.notEnoughSpace, "\(path.map { "\($0): " } ?? "")\(FullDisk.reason)", cause: error)
    case is CancellationError: self.init(.userCancelled, "the request was canceled")
    default: self.init(.internalError, String(describing: error), cause: error)
    }
  }
}

/// Runs `body`, and maps the store's and the decoders' errors to PhotoKit's.
package func withPhotosErrors<Value>(_ body: () throws -> Value) throws(PHPhotosError) -> Value {
  do { return try body() } catch { throw PHPhotosError(error) }
}

/// Casts between `PHPhotosError` and `NSError`. Apple's compiler provides them for every bridged
/// error.
///
///     catch let error as NSError where error.domain == PHPhotosErrorDomain { … }
extension PHPhotosError: _ObjectiveCBridgeable {
  public typealias _ObjectiveCType = NSError

  public func _bridgeToObjectiveC() -> NSError { _nsError }

  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout PHPhotosError?) {
    _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
  }

  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout PHPhotosError?) -> Bool {
    result = source.domain == PHPhotosErrorDomain ? PHPhotosError(_nsError: source) : nil
    return result != nil
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> PHPhotosError {
    PHPhotosError(_nsError: source ?? NSError(domain: PHPhotosErrorDomain, code: Code.internalError.rawValue))
  }
}

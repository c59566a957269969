import Photos

/// Shows how an app asks for access, with the newer and the older functions, and what it may do
/// then.
@main
struct AskForAccess {
  static func main() async {
    print("before: \(name(PHPhotoLibrary.authorizationStatus(for: .readWrite)))")
    let status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
    print("after: \(name(status))")
    switch status {
    case .authorized, .limited: print("sees \(PHAsset.fetchAssets(with: nil).count) assets")
    case .denied, .restricted, .notDetermined: print("sees nothing: \(PHAsset.fetchAssets(with: nil).count) assets")
    }
    print("may add: \(name(PHPhotoLibrary.authorizationStatus(for: .addOnly)))")
    print("with a handler: \(name(await askWithHandler()))")
    print("as older code asks: \(name(await askAsBefore()))")
    print("as older code reads it: \(name(PHPhotoLibrary.authorizationStatus()))")
  }

  /// Asks with a handler, which is called on a queue of its own. If the question was answered
  /// before, the handler is called without asking again.
  private static func askWithHandler() async -> PHAuthorizationStatus {
    await withCheckedContinuation { continuation in
      PHPhotoLibrary.requestAuthorization(for: .readWrite) { continuation.resume(returning: $0) }
    }
  }

  /// Asks without an access level. This older function returns `authorized` for limited access.
  private static func askAsBefore() async -> PHAuthorizationStatus {
    await withCheckedContinuation { continuation in
      PHPhotoLibrary.requestAuthorization { continuation.resume(returning: $0) }
    }
  }

  private static func name(_ status: PHAuthorizationStatus) -> String {
    switch status {
    case .notDetermined: "not determined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorized: "authorized"
    case .limited: "limited"
    }
  }
}

import Photos

/// Shows how an app asks for access, in the forms that newer and older code has, and what it may do afterwards.
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

  /// What was answered once isn't asked again; the handler is called, on a queue of its own, all the same.
  private static func askWithHandler() async -> PHAuthorizationStatus {
    await withCheckedContinuation { continuation in
      PHPhotoLibrary.requestAuthorization(for: .readWrite) { continuation.resume(returning: $0) }
    }
  }

  /// The form without an access level knows no limited access and calls it `authorized`.
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

import Photos

/// Shows how an app asks for access, and what it may do afterwards.
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
    print("as older code asks: \(name(PHPhotoLibrary.authorizationStatus()))")
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

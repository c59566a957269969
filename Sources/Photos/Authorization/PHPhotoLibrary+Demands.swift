import Foundation

extension PHPhotoLibrary {
  /// Throws unless a client with this access may do what its change block asks for.
  func check(_ demands: [ChangeDemand], _ access: LibraryAccess) throws {
    for demand in demands {
      switch (access, demand) {
      case (.owner, _), (.full, _), (_, .nothing), (.addOnly, .addAssets): continue
      case (.limited, .addAssets), (.limited, .changeAssets), (.limited, .deleteAssets): continue
      case (.limited, _):
        throw PHPhotosError(
          .accessUserDenied, "\(clientName) has limited access to the library, which shows it no albums")
      case (.addOnly, _):
        throw PHPhotosError(.accessUserDenied, "\(clientName) may add to the library, and nothing else")
      case (.none(.restricted), _):
        throw PHPhotosError(.accessRestricted, "\(clientName) is not allowed to use the library")
      case (.none, _):
        throw PHPhotosError(.accessUserDenied, "\(clientName) has no access to the library")
      }
    }
  }

  private var clientName: String { client?.name ?? "the owner" }
}

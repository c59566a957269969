import ArgumentParser
import Photos

/// The version of an asset that a command writes, selected by a flag.
enum AssetVersion: String, EnumerableFlag {
  case current, original, unadjusted

  static func help(for value: AssetVersion) -> ArgumentHelp? {
    switch value {
    case .current: "The asset as it is shown, with its edit."
    case .original: "The files that were imported."
    case .unadjusted: "Like --original, but without the RAW file if there is also a picture of the shot."
    }
  }

  var imageVersion: PHImageRequestOptionsVersion {
    switch self {
    case .current: .current
    case .original: .original
    case .unadjusted: .unadjusted
    }
  }
}

import ArgumentParser
import Photos

/// The version of an asset that a command writes, selected by a flag.
enum AssetVersion: String, EnumerableFlag {
  case current, original, unadjusted

  static func help(for value: AssetVersion) -> ArgumentHelp? {
    switch value {
    case .current: "What is shown: with the asset’s edit."
    case .original: "What the asset came with."
    case .unadjusted: "As --original; of a RAW file and a picture of the same shot, the picture."
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

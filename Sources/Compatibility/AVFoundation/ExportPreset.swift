// AVFoundation uses this spelling for its presets.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The encoder settings of an export preset.
struct ExportPreset: Sendable {
  var name: String
  var rateFactor = 20
  /// Larger pictures are shrunk so that their longest side fits. Smaller ones are not enlarged.
  var longestSide: Int?
  var passesThrough = false
  var isHEVC = false

  static func named(_ name: String) -> ExportPreset? { all.first { $0.name == name } }

  static let all = [
    ExportPreset(name: AVAssetExportPresetHighestQuality, rateFactor: 18),
    ExportPreset(name: AVAssetExportPresetMediumQuality, rateFactor: 23, longestSide: 1280),
    ExportPreset(name: AVAssetExportPresetLowQuality, rateFactor: 28, longestSide: 480),
    ExportPreset(name: AVAssetExportPreset640x480, longestSide: 640),
    ExportPreset(name: AVAssetExportPreset960x540, longestSide: 960),
    ExportPreset(name: AVAssetExportPreset1280x720, longestSide: 1280),
    ExportPreset(name: AVAssetExportPreset1920x1080, longestSide: 1920),
    ExportPreset(name: AVAssetExportPreset3840x2160, longestSide: 3840),
    ExportPreset(name: AVAssetExportPresetHEVCHighestQuality, rateFactor: 18, isHEVC: true),
    ExportPreset(name: AVAssetExportPresetHEVC1920x1080, longestSide: 1920, isHEVC: true),
    ExportPreset(name: AVAssetExportPresetHEVC3840x2160, longestSide: 3840, isHEVC: true),
    ExportPreset(name: AVAssetExportPresetPassthrough, passesThrough: true),
  ]
}

public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
public let AVAssetExportPresetHEVC1920x1080 = "AVAssetExportPresetHEVC1920x1080"
public let AVAssetExportPresetHEVC3840x2160 = "AVAssetExportPresetHEVC3840x2160"
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

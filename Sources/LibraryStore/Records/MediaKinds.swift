/// The raw values of `PHAssetMediaType` that statements compare with `media_type`.
enum MediaType {
  static let video = 2
}

/// The bits of `PHAssetMediaSubtype` that statements compare with `media_subtypes`.
enum MediaSubtype {
  static let panorama = 1 << 0
  static let screenshot = 1 << 2
  static let live = 1 << 3
  static let depthEffect = 1 << 4
  static let animation = 1 << 6
  static let spatial = 1 << 10
  static let highFrameRate = 1 << 17
  static let timelapse = 1 << 18
  static let screenRecording = 1 << 19
  static let cinematic = 1 << 21
}

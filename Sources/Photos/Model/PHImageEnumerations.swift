import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The target size that requests all pixels. Compare with it, don't compute with it.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// The way in which an image is fitted to the requested size.
public enum PHImageContentMode: Int, Sendable {
  case aspectFit, aspectFill

  public static var `default`: PHImageContentMode { .aspectFit }
}

/// The requested version of an asset's image.
public enum PHImageRequestOptionsVersion: Int, Sendable {
  case current, unadjusted, original
}

public enum PHImageRequestOptionsDeliveryMode: Int, Sendable {
  case opportunistic, highQualityFormat, fastFormat
}

public enum PHImageRequestOptionsResizeMode: Int, Sendable {
  case none, fast, exact
}

/// The requested version of an asset's movie.
public enum PHVideoRequestOptionsVersion: Int, Sendable {
  case current, original
}

public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable {
  case automatic, highQualityFormat, mediumQualityFormat, fastFormat
}

/// The part of a Live Photo that an edited frame belongs to.
public enum PHLivePhotoFrameType: Int, Sendable {
  case photo, video
}

/// How an image is put into the size that was asked for.
public enum PHImageContentMode: Int, Sendable {
  case aspectFit, aspectFill

  public static var `default`: PHImageContentMode { .aspectFit }
}

/// Which version of an asset's image is asked for.
public enum PHImageRequestOptionsVersion: Int, Sendable {
  case current, unadjusted, original
}

public enum PHImageRequestOptionsDeliveryMode: Int, Sendable {
  case opportunistic, highQualityFormat, fastFormat
}

public enum PHImageRequestOptionsResizeMode: Int, Sendable {
  case none, fast, exact
}

/// Which version of an asset's movie is asked for.
public enum PHVideoRequestOptionsVersion: Int, Sendable {
  case current, original
}

public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable {
  case automatic, highQualityFormat, mediumQualityFormat, fastFormat
}

/// What of a Live Photo a frame that is edited belongs to.
public enum PHLivePhotoFrameType: Int, Sendable {
  case photo, video
}

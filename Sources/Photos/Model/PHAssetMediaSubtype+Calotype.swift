extension PHAssetMediaSubtype {
  /// PhotoKit's names of the set bits, in the order of their values.
  public var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }

  private static let named: [(PHAssetMediaSubtype, String)] = [
    (.photoPanorama, "photoPanorama"), (.photoHDR, "photoHDR"), (.photoScreenshot, "photoScreenshot"),
    (.photoLive, "photoLive"), (.photoDepthEffect, "photoDepthEffect"), (.photoAnimation, "photoAnimation"),
    (.spatialMedia, "spatialMedia"), (.videoStreamed, "videoStreamed"), (.videoHighFrameRate, "videoHighFrameRate"),
    (.videoTimelapse, "videoTimelapse"), (.videoScreenRecording, "videoScreenRecording"),
    (.videoCinematic, "videoCinematic"),
  ]
}

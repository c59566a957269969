import Photos
import Testing

/// Imports only `Photos`, like most clients of PhotoKit. The test is that the file compiles.
@Suite struct PhotosAloneTests {
  @Test func `the types of PhotoKit's signatures come with Photos`() throws {
    let types: [Any.Type] = [
      CGSize.self, CGRect.self, Date.self, Data.self, URL.self, CLLocation.self, CLLocationCoordinate2D.self,
      UIImage.self, UIImage.Orientation.self, CIImage.self, CIContext.self, CGImagePropertyOrientation.self,
      CGColorSpace.self, AVAsset.self, AVURLAsset.self, AVPlayerItem.self, AVAudioMix.self, CMTime.self, UTType.self,
      CGImage.self, CGImageSource.self, CGImageDestination.self, UIScreen.self, UIDevice.self, UIApplication.self,
      UIColor.self, UIGraphicsImageRenderer.self, AVAssetTrack.self, AVMediaType.self, AVMetadataItem.self,
      AVComposition.self, AVMutableComposition.self, AVAssetImageGenerator.self, CLGeocoder.self,
    ]
    #expect(Set(types.map { ObjectIdentifier($0) }).count == types.count)
  }

  @Test func `PhotoKit's handlers take them`() {
    func handle(_ image: UIImage?, _ info: [AnyHashable: Any]?) -> CGSize { image?.size ?? .zero }
    func play(_ asset: AVAsset?, _ mix: AVAudioMix?) -> URL? { (asset as? AVURLAsset)?.url }
    #expect(handle(nil, nil) == .zero)
    #expect(play(AVAsset(url: URL(fileURLWithPath: "/a.mov")), nil)?.path == "/a.mov")
  }

  /// On Apple's platforms ImageIO declares this key, and Core Image accepts it as an option.
  @Test func `the quality's name is an option of ImageIO and of Core Image`() {
    let written = [kCGImageDestinationLossyCompressionQuality: 0.5] as CFDictionary
    let rendered = [kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption: 0.5]
    #expect(written.keys.first == rendered.keys.first?.rawValue)
  }

  @Test func `IndexPath's rows and autorelease pools come with Photos`() {
    #expect(autoreleasepool { IndexPath(row: 2, section: 1).item } == 2)
  }
}

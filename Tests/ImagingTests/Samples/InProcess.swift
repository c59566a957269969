@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

func makeRenditionsInProcess(
  of file: MediaFile, metadata: MediaMetadata, kinds: Set<RenditionKind>, limits: DecodingLimits = .standard
) throws(ImagingError) -> RenditionSet {
  try MakeRenditions(metadata: metadata, kinds: kinds, limits: limits).perform(on: file)
}

func makePictureInProcess(
  of file: MediaFile, metadata: MediaMetadata, _ request: PictureRequest, limits: DecodingLimits
) throws(ImagingError) -> PixelBuffer {
  try MakePicture(metadata: metadata, request: request, limits: limits).perform(on: file)
}

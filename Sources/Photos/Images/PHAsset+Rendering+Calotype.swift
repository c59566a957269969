import CoreGraphics
import Foundation
import UniformTypeIdentifiers

extension PHAsset {
  /// Returns the picture as a new file, in any size and in another format. For a video it is the
  /// poster.
  ///
  ///     let size = CGSize(width: 1024, height: 1024)
  ///     let webP = try asset.renderedImageData(as: .webP, fitting: size)
  ///
  /// - The picture is upright and in sRGB. It fits into `size` (pixels; `nil` is the full size),
  ///   and is never enlarged.
  /// - Camera and texts come from the file. Date and place come from the library, where they may
  ///   have been changed since the import.
  /// - JPEG draws transparent parts on white.
  /// - `quality` is from 0 to 1, for lossy formats.
  /// - Throws if the asset can't be read, or if `supportedRenderedImageTypes` does not contain the
  ///   type.
  /// - An asset that is known to be unreadable is tried nevertheless. If it is readable by now, the
  ///   library records that.
  /// - Takes as long as a decode, so don't call it on the main thread.
  public func renderedImageData(
    as contentType: UTType, fitting size: CGSize? = nil, quality: Double = 0.92,
    version: PHImageRequestOptionsVersion = .current
  ) throws -> Data {
    guard Self.supportedRenderedImageTypes.contains(contentType) else {
      let names = Self.supportedRenderedImageTypes.map(\.identifier).joined(separator: ", ")
      throw PHPhotosError(.invalidResource, "\(contentType.identifier): a picture is written as one of \(names)")
    }
    return try withPhotosErrors {
      try checkAccess()
      return try pictures.rendered(as: contentType, fitting: size, quality: quality, version: version)
    }
  }

  /// The types that `renderedImageData` can write.
  public static let supportedRenderedImageTypes: [UTType] = [
    .jpeg, .heic, .png, .webP, UTType(importedAs: "public.avif"), UTType(importedAs: "public.jpeg-xl"),
  ]
}

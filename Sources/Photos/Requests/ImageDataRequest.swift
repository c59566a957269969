import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore

/// A request for the bytes of a picture.
///
/// An asynchronous request reads its file on the `answerQueue` queue, once the budget for
/// undelivered data has room.
struct ImageDataRequest: Sendable {
  let request: AssetRequest<Answer>
  let pictures: AssetPictures
  let version: PHImageRequestOptionsVersion
  let pipeline: ImagePipeline

  struct Answer: Sendable {
    var data: Data
    var type: String
    var orientation = CGImagePropertyOrientation.up
  }

  /// Answers on the caller's thread.
  func answerSynchronously() {
    request.finishSynchronously {
      let resource = try resource()
      try request.wait(for: resource, in: pictures.library)
      return try answer(from: resource)
    }
  }

  func start() {
    do {
      let resource = try resource()
      request.whenLocal(resource, of: pictures) { arrived in
        if let error = arrived.failure { request.finishOnMainQueue(.failure(error)) } else { read(resource) }
      }
    } catch { request.finishOnMainQueue(.failure(error)) }
  }

  private var isOfImage: Bool { pictures.record.mediaType == PHAssetMediaType.image.rawValue }

  private func resource() throws -> ResourceRecord {
    try pictures.checkAccess()
    let resource = try pictures.resource(for: version)
    if !isOfImage { try pictures.checkIsReadable() }
    return resource
  }

  private func read(_ resource: ResourceRecord) {
    // A poster is a screen rendition, and 1 MB is a guess.
    request.run(
      on: pipeline.answerQueue, reserving: isOfImage ? resource.byteCount : 1 << 20, in: pipeline.undelivered,
      byteCount: \.data.count
    ) { try answer(from: resource) }
  }

  private func answer(from resource: ResourceRecord) throws -> Answer {
    try OriginalFetch.check(request.cancellation, resource)
    guard isOfImage else { return try poster(of: resource) }
    try pictures.checkAccess()
    let bytes = try pictures.store.originals.contents(of: resource)
    guard bytes.count == resource.byteCount else {
      throw PHPhotosError(
        .missingResource, "\(resource.originalFilename): the original is cut off at byte \(bytes.count)")
    }
    // If the metadata can't be read, the picture counts as upright, and its bytes are delivered
    // nevertheless.
    let metadata = try? MediaMetadata(of: pictures.open(resource))
    return Answer(
      data: bytes, type: resource.uniformTypeIdentifier,
      orientation: metadata.flatMap { CGImagePropertyOrientation(rawValue: UInt32($0.orientation)) } ?? .up)
  }

  private func poster(of movie: ResourceRecord) throws -> Answer {
    let poster: Rendition?
    if try movie == pictures.resource(for: .current) {
      poster = try pictures.storedRendition(.screen) ?? pictures.makeRendition(.screen)
    } else {
      let made = try pictures.decoding(.renditions, of: movie) { file, metadata in
        try makeRenditions(of: file, metadata: metadata, kinds: [.screen])
      }
      poster = made.renditions.first
    }
    guard let poster else { throw pictures.missing("picture") }
    return Answer(data: poster.data, type: poster.uniformTypeIdentifier)
  }
}

import AVFoundation
import Foundation
internal import Imaging
internal import LibraryStore
import UIKit

public typealias PHContentEditingInputRequestID = Int

// The keys of the info that an input request's handler gets.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: the original is remote, and the request may not download it.
public let PHContentEditingInputResultIsInCloudKey = "PHContentEditingInputResultIsInCloudKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: the request was canceled.
public let PHContentEditingInputCancelledKey = "PHContentEditingInputCancelledKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Error`: the reason that there is no input.
public let PHContentEditingInputErrorKey = "PHContentEditingInputErrorKey"

extension PHAsset {
  /// Implements `requestContentEditingInput`.
  func beginContentEditingInputRequest(
    _ options: PHContentEditingInputRequestOptions?,
    completionHandler: @escaping (PHContentEditingInput?, [AnyHashable: Any]) -> Void
  ) -> PHContentEditingInputRequestID {
    let options = EditingInputOptions(value: options ?? PHContentEditingInputRequestOptions())
    let request = AssetRequest<PHContentEditingInput>(in: editingInputRequests, of: library) { _, result in
      completionHandler(try? result.get(), result.editingInfo)
    }
    request.run(on: .editingInputs) { [self] in try editingInput(options.value, request.cancellation) }
    return Int(request.id)
  }

  /// Cancels a request. Its handler is called once with `PHContentEditingInputCancelledKey`, even
  /// if an input is already waiting for the main queue. A finished request is not affected.
  public func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {
    if let id = Int32(exactly: requestID) { editingInputRequests.cancel(id) }
  }

  /// Makes an input on the caller's thread.
  func editingInput(
    _ options: PHContentEditingInputRequestOptions, _ cancellation: Cancellation
  ) throws -> PHContentEditingInput {
    try checkAccess()
    guard allows(.content) else {
      throw PHPhotosError(
        .requestNotSupportedForAsset,
        "\(localIdentifier): "
          + (isUnreadable ? "the file can’t be read, so it can’t be edited" : "there is nothing to edit"),
        identifiers: [localIdentifier])
    }
    while true {
      let files = try pictures.files()
      do { return try editingInput(from: files, options, cancellation) } catch {
        guard try isEdited(since: EditIdentity(files)) else { throw error }
      }
    }
  }

  /// Returns whether the asset was edited by another program. That removes the files of the edit
  /// before, which may be in use here.
  func isEdited(since edit: EditIdentity) throws -> Bool { try EditIdentity(pictures.files()) != edit }

  private func editingInput(
    from files: AssetFiles, _ options: PHContentEditingInputRequestOptions, _ cancellation: Cancellation
  ) throws -> PHContentEditingInput {
    let originalFetch = OriginalFetch(options)
    let wait: (ResourceRecord) throws -> Void = { [photoLibrary] in
      try originalFetch.wait(for: $0, in: photoLibrary, cancellation: cancellation)
    }
    try files[.adjustmentData].map(wait)
    let former = try adjustmentData(in: files).flatMap { data in
      photoLibrary.asShared { options.canHandleAdjustmentData(data) } ? data : nil
    }
    // The asset may have been edited since it was fetched.
    let usesOriginal = former != nil || files.edits.isEmpty
    guard let start = usesOriginal ? files.editingBase(options.chosenOriginal) : files.current else {
      throw pictures.missing(mediaType == .video ? "movie" : "photo")
    }
    try wait(start)
    try pictures.checkIsDecodable()

    let metadata = try MediaMetadata(of: pictures.open(start))
    let image = options.skipsDisplaySizeImage ? nil : try displayImage(of: start, metadata)
    guard !cancellation.isCancelled else {
      throw PHPhotosError(.userCancelled, "\(localIdentifier): the request was canceled")
    }
    let file = try ClientFile(start, of: photoLibrary)
    let isVideo = mediaType == .video
    let movie = isVideo ? nil : try editedMovie(in: files, usesOriginal: usesOriginal, wait)
    let bases = usesOriginal ? files.bases : files.renders
    return PHContentEditingInput(
      self, uniformTypeIdentifier: start.uniformTypeIdentifier, adjustmentData: former, displaySizeImage: image,
      file: file, fullSizeImageOrientation: isVideo ? 1 : Int32(metadata.orientation),
      livePhoto: try movie.map { try editedLivePhoto(image, still: start, at: file.url, movie: $0) },
      pairedVideo: movie?.file,
      bases: try bases.map { type, base in
        try wait(base)
        return EditBase(
          type: type, file: try ClientFile(base, of: photoLibrary), originalFilename: base.originalFilename)
      }, edit: EditIdentity(files))
  }

  /// Returns the movie of the Live Photo that an edit starts from, and the record of the movie's
  /// file if it has one of its own in the library.
  private func editedMovie(
    in files: AssetFiles, usesOriginal: Bool, _ wait: (ResourceRecord) throws -> Void
  ) throws -> (file: ClientFile, record: ResourceRecord?)? {
    guard !record.traits.contains(.stillOnly) else { return nil }
    let own = usesOriginal ? files.editingBaseMovie : files[.fullSizePairedVideo]
    if let own {
      try wait(own)
      return (try ClientFile(own, of: photoLibrary), own)
    }
    // The movie is inside the photo.
    guard usesOriginal, mediaSubtypes.contains(.photoLive), let photo = files.originalMovie,
      let range = photo.motionVideo
    else { return nil }
    try wait(photo)
    return (ClientFile(url: try pictures.movie(inside: photo, at: range)), nil)
  }

  private func editedLivePhoto(
    _ image: UIImage?, still: ResourceRecord, at stillURL: URL,
    movie: (file: ClientFile, record: ResourceRecord?)
  ) throws -> PHLivePhoto {
    let file = try MediaFile(path: movie.file.url.path)
    let metadata = try MediaMetadata(of: file)
    let paired =
      movie.record.map { PHAssetResource($0, of: self, as: .pairedVideo) }
      ?? PHAssetResource(.pairedVideo, of: movie.file.url, file: file, metadata: metadata)
    // The picture is decoded when it is displayed.
    let picture = image ?? UIImage(contentsOfFile: stillURL.path) ?? UIImage()
    return PHLivePhoto(
      picture, resources: [PHAssetResource(still, of: self, as: .photo), paired], stillTime: metadata.stillTime)
  }

  /// Returns the stored picture if the file is the displayed one; otherwise decodes the file.
  private func displayImage(of start: ResourceRecord, _ metadata: MediaMetadata) throws -> UIImage? {
    if try start.id == pictures.resource(for: .current).id {
      let rendition = try pictures.storedRendition(.screen) ?? pictures.makeRendition(.screen)
      return UIImage(data: rendition.data)
    }
    let made = try pictures.decoding(.renditions, of: start) {
      try makeRenditions(of: $0, metadata: metadata, kinds: [.screen])
    }
    return made.renditions.first.flatMap { UIImage(data: $0.data) }
  }

  /// Returns the adjustment data of the latest edit.
  func adjustmentData(in files: AssetFiles) throws -> PHAdjustmentData? {
    try adjustmentBytes(in: files).flatMap { PHAdjustmentData(propertyList: $0) }
  }

  /// Returns the property list of the edit's adjustment data; `nil` if there is none. Throws if it
  /// can't be read, or if the client may not see the asset any more.
  func readAdjustmentBytes() throws -> Data? {
    guard hasAdjustments else { return nil }
    try checkAccess()
    return try adjustmentBytes(in: pictures.files())
  }

  func adjustmentBytes(in files: AssetFiles) throws -> Data? {
    guard let resource = files[.adjustmentData], resource.byteCount <= PHAdjustmentData.fileByteLimit else {
      return nil
    }
    let originals = photoLibrary.store.originals
    // The file is small, and without it an edited asset would look like one without an edit.
    if !originals.isLocal(resource) { try originals.fetch(resource) { _ in } }
    return try originals.contents(of: resource)
  }
}

private let editingInputRequests = RunningRequests()

private struct EditingInputOptions: @unchecked Sendable {
  // Only the queue that makes the input reads the options.
  let value: PHContentEditingInputRequestOptions
}

extension Result where Success == PHContentEditingInput, Failure == PHPhotosError {
  fileprivate var editingInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [
      PHContentEditingInputResultIsInCloudKey: failure?.code == .networkAccessRequired
    ]
    switch failure?.code {
    case nil: break
    case .userCancelled: info[PHContentEditingInputCancelledKey] = true
    default: info[PHContentEditingInputErrorKey] = failure
    }
    return info
  }
}

extension OriginalFetch {
  fileprivate init(_ options: PHContentEditingInputRequestOptions) {
    let handler = options.progressHandler
    self.init(isNetworkAccessAllowed: options.isNetworkAccessAllowed) { fraction, _ in
      var stop = ObjCBool(false)
      handler?(fraction, &stop)
      return !stop.boolValue
    }
  }
}

extension AssetFiles {
  /// Returns the file that an edit is applied to: the base of the latest edit, or the original.
  fileprivate func editingBase(_ choice: PHAsset.OriginalResourceChoice?) -> ResourceRecord? {
    if let base = self[.adjustmentBasePhoto] ?? self[.adjustmentBaseVideo] { return base }
    guard let choice, let chosen = originals.first(where: { $0.isRaw == (choice == .raw) && $0.kindIsPicture }) else {
      return original
    }
    return chosen
  }

  /// The movie that belongs to the editing base; `nil` if another program had made a still of the
  /// Live Photo.
  fileprivate var editingBaseMovie: ResourceRecord? {
    self[.adjustmentBasePhoto] == nil ? self[.pairedVideo] : self[.adjustmentBasePairedVideo]
  }

  /// The files that the latest edit was applied to, if they are no originals.
  fileprivate var bases: [(PHAssetResourceType, ResourceRecord)] {
    [
      (.adjustmentBasePhoto, .adjustmentBasePhoto), (.adjustmentBasePairedVideo, .adjustmentBasePairedVideo),
      (.adjustmentBaseVideo, .adjustmentBaseVideo),
    ].compactMap { base, kept in self[kept].map { (base, $0) } }
  }

  /// The latest edit's renders, as the bases of another edit.
  fileprivate var renders: [(PHAssetResourceType, ResourceRecord)] {
    [
      (.adjustmentBasePhoto, .fullSizePhoto), (.adjustmentBasePairedVideo, .fullSizePairedVideo),
      (.adjustmentBaseVideo, .fullSizeVideo),
    ].compactMap { base, render in self[render].map { (base, $0) } }
  }
}

extension ResourceRecord {
  fileprivate var kindIsPicture: Bool {
    type == ResourceType.photo.rawValue || type == ResourceType.alternatePhoto.rawValue
  }
}

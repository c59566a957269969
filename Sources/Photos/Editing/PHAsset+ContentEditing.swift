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
    let (id, cancellation) = editingInputRequests.begin()
    let delivery = EditingInputDelivery(
      options: options ?? PHContentEditingInputRequestOptions(), handler: ResultHandler(in: library, completionHandler))
    let finish: @Sendable (Result<PHContentEditingInput, any Error>) -> Void = { made in
      DispatchQueue.main.async {
        // Cancellations from now on are too late.
        let isCancelled = cancellation.close()
        editingInputRequests.end(id)
        let answer = (isCancelled ? .failure(CancellationError()) : made).mapError { PHPhotosError($0) }
        delivery.handler.call(try? answer.get(), answer.editingInfo)
      }
    }
    let job = editingInputQueue.add(.seen) { [self] in
      finish(Result { try cancellation.decoding { try editingInput(delivery.options, cancellation) } })
    }
    cancellation.whenCancelled {
      if editingInputQueue.drop(job) { finish(.failure(CancellationError())) }
    }
    return Int(id)
  }

  /// Cancels a request. Its handler is called once with `PHContentEditingInputCancelledKey`, even
  /// if an input is already waiting for the main queue. A finished request is not affected.
  public func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {
    if let id = Int32(exactly: requestID) { editingInputRequests.cancel(id) }
  }

  func editingInput(
    _ options: PHContentEditingInputRequestOptions, _ cancellation: Cancellation
  ) throws -> PHContentEditingInput {
    try checkAccess()
    guard canPerform(.content) else {
      throw PHPhotosError(
        .requestNotSupportedForAsset,
        "\(localIdentifier): "
          + (isUnreadable ? "the file can’t be read, so it can’t be edited" : "there is nothing to edit"),
        identifiers: [localIdentifier])
    }
    while true {
      let files = try files()
      do { return try editingInput(from: files, options, cancellation) } catch {
        guard try isEdited(since: EditIdentity(files)) else { throw error }
      }
    }
  }

  /// Returns whether the asset was edited by another program. That removes the files of the edit
  /// before, which may be in use here.
  func isEdited(since edit: EditIdentity) throws -> Bool { try EditIdentity(files()) != edit }

  private func editingInput(
    from files: AssetFiles, _ options: PHContentEditingInputRequestOptions, _ cancellation: Cancellation
  ) throws -> PHContentEditingInput {
    let former = try adjustmentData(in: files).flatMap { data in
      photoLibrary.asShared { options.canHandleAdjustmentData(data) } ? data : nil
    }
    // The asset may have been edited since it was fetched.
    let usesOriginal = former != nil || files.edits.isEmpty
    guard let start = usesOriginal ? files.editingBase(options.chosenOriginal) : files.current else {
      throw missing(mediaType == .video ? "video" : "photo")
    }
    let arrival = OriginalArrival(options)
    try arrival.wait(for: start, in: photoLibrary, cancellation: cancellation)
    try checkIsDecodable()

    let metadata = try MediaMetadata(of: photoLibrary.store.originals.mediaFile(of: start))
    let image = options.skipsDisplaySizeImage ? nil : try displayImage(of: start, metadata)
    guard !cancellation.isCancelled else {
      throw PHPhotosError(.userCancelled, "\(localIdentifier): the request was cancelled")
    }
    let file = try ClientFile(start, of: photoLibrary)
    let isVideo = mediaType == .video
    let movie = isVideo ? nil : try editedMovie(in: files, usesOriginal: usesOriginal)
    let bases = usesOriginal ? files.bases : files.renders
    return PHContentEditingInput(
      self, uniformTypeIdentifier: start.uniformTypeIdentifier, adjustmentData: former, displaySizeImage: image,
      file: file, fullSizeImageOrientation: isVideo ? 1 : Int32(metadata.orientation),
      livePhoto: try movie.map { try editedLivePhoto(image, start, at: file.url, $0) }, pairedVideo: movie?.file,
      bases: try bases.map {
        EditBase(type: $0, file: try ClientFile($1, of: photoLibrary), originalFilename: $1.originalFilename)
      }, edit: EditIdentity(files))
  }

  /// Returns the movie of the Live Photo that an edit starts from, and the record of the movie's
  /// file if it has one of its own in the library.
  private func editedMovie(in files: AssetFiles, usesOriginal: Bool) throws -> (
    file: ClientFile, record: ResourceRecord?
  )? {
    guard !record.traits.contains(.stillOnly) else { return nil }
    let own = usesOriginal ? files.editingBaseMovie : files[.fullSizePairedVideo]
    if let own { return (try ClientFile(own, of: photoLibrary), own) }
    // The movie is inside the photo.
    guard usesOriginal, mediaSubtypes.contains(.photoLive), let photo = files.originalMovie,
      let range = photo.motionVideo
    else { return nil }
    return (ClientFile(url: try movie(inside: photo, at: range)), nil)
  }

  private func editedLivePhoto(
    _ image: UIImage?, _ still: ResourceRecord, at stillURL: URL,
    _ movie: (file: ClientFile, record: ResourceRecord?)
  ) throws -> PHLivePhoto {
    let file = try MediaFile(path: movie.file.url.path)
    let metadata = try MediaMetadata(of: file)
    let paired =
      movie.record.map { PHAssetResource($0, of: self, as: .pairedVideo) }
      ?? PHAssetResource(.pairedVideo, of: movie.file.url, file, metadata)
    // The picture is decoded when it is displayed.
    let picture = image ?? UIImage(contentsOfFile: stillURL.path) ?? UIImage()
    return PHLivePhoto(
      picture, resources: [PHAssetResource(still, of: self, as: .photo), paired], stillTime: metadata.stillTime)
  }

  /// Returns the stored picture if the file is the displayed one; otherwise decodes the file.
  private func displayImage(of start: ResourceRecord, _ metadata: MediaMetadata) throws -> UIImage? {
    if try start.id == resourceRecord(for: .current).id {
      let stored = storedPicture(AssetRendition.Kind.screen.rawValue)
      return UIImage(data: try stored?.data ?? makeRendition(.screen).data)
    }
    let made = try decoding(.renditions, of: start) {
      try makeRenditions(of: $0, metadata: metadata, kinds: [.screen])
    }
    return made.renditions.first.flatMap { UIImage(data: $0.data) }
  }

  /// Returns the adjustment data of the latest edit.
  func adjustmentData(in files: AssetFiles) throws -> PHAdjustmentData? {
    try adjustmentBytes(in: files).flatMap { PHAdjustmentData(propertyList: $0) }
  }

  func adjustmentBytes(in files: AssetFiles) throws -> Data? {
    guard let resource = files[.adjustmentData], resource.byteCount <= PHAdjustmentData.fileByteLimit else {
      return nil
    }
    return try photoLibrary.store.originals.contents(of: resource)
  }
}

private let editingInputRequests = RunningRequests()
/// An input may need a new picture, so several requests run at once.
private let editingInputQueue = WorkQueue(width: max(2, ProcessInfo.processInfo.activeProcessorCount))

private struct EditingInputDelivery: @unchecked Sendable {
  // The value is handed to one queue, which reads the options, and then to the main queue, which
  // calls the handler once.
  let options: PHContentEditingInputRequestOptions
  let handler: ResultHandler<PHContentEditingInput?, [AnyHashable: Any]>
}

extension Result where Success == PHContentEditingInput, Failure == PHPhotosError {
  fileprivate var editingInfo: [AnyHashable: Any] {
    var error: PHPhotosError?
    if case .failure(let failure) = self { error = failure }
    var info: [AnyHashable: Any] = [
      PHContentEditingInputResultIsInCloudKey: error?.code == .networkAccessRequired
    ]
    switch error?.code {
    case nil: break
    case .userCancelled: info[PHContentEditingInputCancelledKey] = true
    default: info[PHContentEditingInputErrorKey] = error
    }
    return info
  }
}

extension OriginalArrival {
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

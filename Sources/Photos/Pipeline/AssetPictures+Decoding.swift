import Foundation
internal import Imaging
internal import LibraryStore

/// A kind of work on an asset's file. Each kind may fail alone, so failures are stored for each
/// kind.
enum DecodingTask: String {
  case thumbnail
  case renditions
  case picture

  /// The name under which a failure is stored. It contains the build of the decoders, because
  /// another one may not fail.
  var failureName: String { "\(rawValue), build \(decoderBuild)" }
}

extension AssetPictures {
  /// Decodes a file.
  ///
  /// If the file crashed a decoder, or used up its limits of time or memory, the task is not tried
  /// again for a day by the same build. A grid cell that comes into view repeatedly would otherwise
  /// cost a worker each time.
  func decoding<Made>(
    _ task: DecodingTask, of resource: ResourceRecord, _ make: (MediaFile, MediaMetadata) throws -> Made
  ) throws -> Made {
    try decoding(task, of: resource) { file in
      var metadata = try MediaMetadata(of: file)
      // A poster's time depends on the duration, which an import may have had to measure.
      if metadata.duration == 0 { metadata.duration = resource.duration }
      return try make(file, metadata)
    }
  }

  func decoding<Made>(
    _ task: DecodingTask, of resource: ResourceRecord, _ make: (MediaFile) throws -> Made
  ) throws -> Made {
    let memory = store.renditions
    if let reason = memory.failure(of: task.failureName, sha256: resource.sha256) {
      throw PHPhotosError(.invalidResource, reason, identifiers: [PHAsset.localIdentifier(uuid: record.uuid)])
    }
    let start = ContinuousClock.now
    do {
      return try make(open(resource))
    } catch let error as ImagingError {
      if error.isExpensiveToRetry(start.duration(to: .now)) {
        memory.storeFailure(of: task.failureName, sha256: resource.sha256, reason: error.description)
      }
      throw error
    }
  }
}

extension ImagingError {
  /// Whether the file's content caused the error, and not a worker that was stopped or could not be
  /// started.
  var isCausedByFile: Bool {
    switch code {
    case .damaged, .unsupported, .unknownType, .tooLarge, .crashed: true
    case .cannotOpen, .cannotRead, .tookTooLong, .cannotEncode, .notEnoughSpace, .missingProgram: false
    }
  }

  /// Returns whether a retry would be expensive: true for crashes, and for decodes that hit a limit
  /// after more than a second.
  ///
  /// Files that are refused at once cost nothing. A timeout may be due to a busy machine.
  fileprivate func isExpensiveToRetry(_ time: Duration) -> Bool {
    switch code {
    case .crashed: true
    case .tooLarge: time > .seconds(1)
    default: false
    }
  }
}

import Foundation
internal import Imaging
internal import LibraryStore

/// What is made of an asset's file, as far as one may fail where another does not.
enum DecodingTask: String {
  case thumbnail
  case renditions
  case picture
}

extension PHAsset {
  /// Makes something of a file.
  ///
  /// What a decoder did not survive, or what took all of its time, is not tried again for a day: a cell that comes by again and again would
  /// cost a worker each time.
  func decoding<Made>(
    _ task: DecodingTask, of resource: ResourceRecord, _ make: (MediaFile, MediaMetadata) throws -> Made
  ) throws -> Made {
    try decoding(task, of: resource) { file in try make(file, MediaMetadata(of: file)) }
  }

  func decoding<Made>(
    _ task: DecodingTask, of resource: ResourceRecord, _ make: (MediaFile) throws -> Made
  ) throws -> Made {
    let memory = photoLibrary.store.renditions
    if let reason = memory.failure(of: task.rawValue, sha256: resource.sha256) {
      throw PHPhotosError(.invalidResource, reason, identifiers: [localIdentifier])
    }
    let start = ContinuousClock.now
    do {
      return try make(mediaFile(of: resource))
    } catch let error as ImagingError {
      if error.isDear(start.duration(to: .now)) {
        memory.storeFailure(of: task.rawValue, sha256: resource.sha256, reason: error.description)
      }
      throw error
    }
  }
}

extension ImagingError {
  /// Whether it is the file that is to blame, and not a worker that nobody waited for or that could not be started.
  var isOfTheFile: Bool {
    switch code {
    case .damaged, .unsupported, .unknownType, .tooLarge, .crashed: true
    case .cannotOpen, .cannotRead, .tookTooLong, .cannotEncode, .notEnoughSpace, .missingProgram: false
    }
  }

  /// Whether it would cost as much again. What is only refused costs nothing, and what took long because the machine was busy may not.
  fileprivate func isDear(_ time: Duration) -> Bool {
    switch code {
    case .crashed: true
    case .tooLarge: time > .seconds(1)
    default: false
    }
  }
}

import Foundation
internal import Imaging

extension PHPhotoLibrary {
  /// Makes this process read photos and videos in worker processes only, from its first file on.
  ///
  ///     PHPhotoLibrary.requireWorkers()
  ///     try PHPhotoLibrary.checkWorkers()
  ///
  /// If `calotype-worker` is not installed or can't be sandboxed, requests then fail and no file is
  /// read. A program that does not call this reads files in its own process instead, and writes one
  /// line about it to standard error. `CALOTYPE_WORKER=none` always allows that.
  public class func requireWorkers() { Imaging.requireWorkers() }

  /// Starts a metadata worker for each processor in the background, for a program that will read
  /// many files. If `loadingDecoders` is true, also starts a decoding worker for each.
  package class func startWorkers(loadingDecoders: Bool) {
    Imaging.startWorkers(loadingDecoders: loadingDecoders)
  }

  /// Waits for the first worker processes. Throws if none can be started.
  public class func checkWorkers() throws { try checkWorkers(loadingDecoders: true) }

  /// Waits for the first worker processes. Without `loadingDecoders`, only those that read metadata
  /// are needed.
  package class func checkWorkers(loadingDecoders: Bool) throws {
    guard let reason = failureOfWorkers(loadingDecoders: loadingDecoders) else { return }
    throw PHPhotosError(
      .internalError,
      "\(reason). Files are read in such processes only, and nothing was read. Install calotype-worker beside this program, or set "
        + "CALOTYPE_WORKER=none to read files without that protection")
  }
}

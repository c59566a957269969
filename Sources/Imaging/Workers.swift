import Foundation
import ImageCoding
import MediaMetadata
import Sandbox

enum Workers {
  /// Returns the pool that reads a file; nil if this process reads it. Throws if this process must
  /// not read files.
  static func pool(reading file: MediaFile, usesDecoder: Bool) throws(ImagingError) -> WorkerPool? {
    do { return try WorkerPool.current(usesDecoder: usesDecoder) } catch {
      throw ImagingError(.missingProgram, file.name, reason: error.reason)
    }
  }
}

/// Lets this process read files in workers only, unless `CALOTYPE_WORKER=none` allows otherwise.
package func requireWorkers() { WorkerPlace.require() }

/// Starts a metadata worker for each processor in the background. If `loadingDecoders` is true,
/// also starts a decoding worker for each.
package func startWorkers(loadingDecoders: Bool) { WorkerPlace.startAll(loadingDecoders: loadingDecoders) }

/// Waits for the first workers. Returns the reason if there can be none, or if they are of another
/// version: such a worker starts, but reads no request. Without `loadingDecoders`, only workers
/// that read metadata are needed.
package func failureOfWorkers(loadingDecoders: Bool) -> String? {
  if let reason = WorkerPlace.failure(loadingDecoders: loadingDecoders) { return reason }
  do throws(ImagingError) {
    _ = try MediaMetadata(typeAndDateOf: MediaFile(data: Data([0]), name: "trial"))
  } catch {
    switch error.code {
    case .missingProgram: return error.reason
    // A worker of a version before `messageLayout` exits.
    case .crashed: return "\(WorkerPlace.executable ?? "calotype-worker"): \(error.reason)"
    default: break
    }
  }
  return nil
}

/// The build of the program that decodes: its worker, else itself. It differs after an update.
package let decoderBuild: String = {
  let executable = WorkerPlace.executable ?? "/proc/self/exe"
  var status = stat()
  guard stat(executable, &status) == 0 else { return "unknown" }
  return "\(status.st_size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)"
}()

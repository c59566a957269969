import ImageCoding
import MediaMetadata
import Sandbox

enum Workers {
  /// Returns the pool that reads a file; nil if this process reads it. Throws if this process must
  /// not read files.
  static func pool(reading file: MediaFile) throws(ImagingError) -> WorkerPool? {
    do { return try WorkerPool.current() } catch {
      throw ImagingError(.missingProgram, file.name, reason: error.reason)
    }
  }
}

/// Lets this process read files in workers only, unless `CALOTYPE_WORKER=none` allows otherwise.
package func requireWorkers() { WorkerPlace.require() }

/// Waits for the first worker. Returns the reason if there can be none.
package func failureOfWorkers() -> String? { WorkerPlace.failure() }

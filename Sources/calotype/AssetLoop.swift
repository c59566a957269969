import ArgumentParser
import Foundation
import Photos

/// Processes assets one after the other until Control-C. If one fails, the error is reported and
/// the loop continues.
///
///     let loop = try AssetLoop(assets) { asset, index in … }
///     try Output.write("Edited \(loop.done.assets)")
///     try loop.finish("edited")
struct AssetLoop {
  private(set) var done = 0
  private var failed = 0
  private var remaining = 0

  /// Runs the loop. Clears the bar before each error message.
  init(_ assets: [PHAsset], bar: ProgressLine? = nil, _ work: (PHAsset, Int) throws -> Void) throws {
    defer { bar?.finish() }
    for (index, asset) in assets.enumerated() {
      guard !Interruption.isCancelled else { break }
      do {
        try work(asset, index)
        done += 1
      } catch is CancellationError {
        break
      } catch let error as CommandError {
        throw error
      } catch {
        bar?.finish()
        failed += 1
        let reason = error.localizedDescription
        let text = reason.hasPrefix(asset.localIdentifier) ? reason : "\(asset.localIdentifier): \(reason)"
        Output.writeToStderr("calotype: \(text)\n")
      }
    }
    remaining = assets.count - done - failed
  }

  /// Reports the assets that were not processed because of Control-C. Throws status 1 if there are
  /// any, or if an asset failed. `participle` names the work: `edited`.
  func finish(_ participle: String) throws {
    if remaining > 0 {
      Output.writeToStderr(
        "calotype: interrupted; \(remaining.assets) \(remaining == 1 ? "was" : "were") not \(participle)\n")
    }
    if failed + remaining > 0 { throw ExitCode(1) }
  }
}

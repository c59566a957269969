import ArgumentParser
import Foundation
import Photos

/// Does something to one asset after the other, until Control-C. One that fails is named, and the others go on.
///
///     let loop = try AssetLoop(assets) { asset, index in … }
///     try Output.write("Edited \(loop.done.assets)")
///     try loop.finish("edited")
struct AssetLoop {
  private(set) var done = 0
  private var failed = 0
  private var rest = 0

  /// The bar makes room for what is said.
  init(_ assets: [PHAsset], _ bar: ProgressLine? = nil, _ work: (PHAsset, Int) throws -> Void) throws {
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
        Output.complain("calotype: \(text)\n")
      }
    }
    rest = assets.count - done - failed
  }

  /// Says what has been left out; then, and where one failed, the command fails. `participle`: `edited`.
  func finish(_ participle: String) throws {
    if rest > 0 {
      Output.complain("calotype: interrupted; \(rest.assets) \(rest == 1 ? "was" : "were") not \(participle)\n")
    }
    if failed + rest > 0 { throw ExitCode(1) }
  }
}

import Foundation
import Photos

/// Measures the time until the first answer to an opportunistic request.
@MainActor struct FirstAnswers {
  private let assets: PHFetchResult<PHAsset>
  private let manager = PHImageManager()
  private let size = CGSize(width: 200, height: 200)

  init(_ assets: PHFetchResult<PHAsset>) { self.assets = assets }

  func measure() async {
    var times: [String: [Double]] = [:]
    for (index, asset) in all.enumerated() {
      let kind = PHAssetResource.assetResources(for: asset).first?.uniformTypeIdentifier ?? ""
      let (time, isDegraded) = await firstAnswer(asset)
      // The first requests start workers.
      guard index >= 4 else { continue }
      times[kind + (isDegraded ? "" : " whole"), default: []].append(time)
    }
    for (kind, times) in times.sorted(by: { $0.key < $1.key }) { report("first \(kind)", median(times)) }
    var stored: [Double] = []
    for _ in 0..<20 {
      for asset in all { stored.append(await firstAnswer(asset).milliseconds) }
    }
    report("stored", median(stored))
  }

  private var all: [PHAsset] { assets.objects(at: IndexSet(0..<assets.count)) }

  /// Returns the milliseconds until the first image, after the last one has been delivered.
  private func firstAnswer(_ asset: PHAsset) async -> (milliseconds: Double, isDegraded: Bool) {
    await withCheckedContinuation { continuation in
      var first: (Double, Bool)?
      let start = ContinuousClock.now
      manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: nil) { image, info in
        let isDegraded = info?[PHImageResultIsDegradedKey] as? Bool == true
        if first == nil { first = (start.duration(to: .now).milliseconds, isDegraded) }
        guard !isDegraded, let first else { return }
        if image == nil { fail("\(asset.localIdentifier): \(info?[PHImageErrorKey] ?? "no image")", 1) }
        continuation.resume(returning: first)
      }
    }
  }
}

func median(_ numbers: [Double]) -> Double {
  numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2]
}

extension Duration {
  var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 }
}

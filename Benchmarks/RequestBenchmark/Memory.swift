import Foundation
import Photos

/// Measures the peak memory of a thousand requests whose results the main queue doesn't accept.
@MainActor struct Memory {
  private let assets: PHFetchResult<PHAsset>
  private let isOfData: Bool
  private let count = 1000

  init(_ assets: PHFetchResult<PHAsset>, isOfData: Bool) {
    self.assets = assets
    self.isOfData = isOfData
  }

  func measure() async {
    let manager = PHImageManager()
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    options.resizeMode = .exact
    var answered = 0
    var ids: [PHImageRequestID] = []
    for index in 0..<count {
      let asset = assets[index % assets.count]
      if isOfData {
        ids.append(
          manager.requestImageDataAndOrientation(for: asset, options: options) { data, _, _, _ in
            if data != nil { answered += 1 }
          })
      } else {
        // Each round requests a size that is one pixel lower, so that no request shares another's
        // decode.
        let size = CGSize(width: asset.pixelWidth, height: asset.pixelHeight - index / assets.count)
        ids.append(
          manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: options) { image, _ in
            if image != nil { answered += 1 }
          })
      }
    }
    // The main queue is blocked meanwhile.
    usleep(10_000_000)
    while answered < min(50, count) { try? await Task.sleep(for: .milliseconds(20)) }
    let workers = children.reduce(0) { $0 + peak($1) }
    report("program", peak("self"))
    report("workers", workers)
    report("answered", Double(answered))
    ids.forEach(manager.cancelImageRequest)
  }

  private var children: [String] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.flatMap { task in
      ((try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)) ?? "").split(separator: " ")
        .map(String.init)
    }
  }

  /// Returns the peak memory of a process in millions of bytes.
  private func peak(_ process: String) -> Double {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) } ?? 0) * 1024 / 1e6
  }
}

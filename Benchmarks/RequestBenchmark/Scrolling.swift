import Foundation
import Photos

/// Scrolls a grid of all assets at 60 frames per second, with the preheat window of a grid's view
/// controller.
///
/// A cell counts as ready if it has its exact, decoded image in the frame in which it appears.
@MainActor final class Scrolling {
  private let assets: PHFetchResult<PHAsset>
  private let frames: Int
  private let manager = PHCachingImageManager()
  private let options = PHImageRequestOptions()
  private let size = CGSize(width: 240, height: 240)
  private let columns = 6
  private let visibleRows = 12

  private var cells: [Int: Cell] = [:]
  private var preheated = 0..<0
  private var preheatedRow: Int?
  private var appeared = 0
  private var ready = 0

  /// A cell on the screen.
  private final class Cell {
    var id = PHInvalidImageRequestID
    var hasImage = false
  }

  init(_ assets: PHFetchResult<PHAsset>, seconds: Double) {
    self.assets = assets
    frames = Int(seconds * 60)
    options.resizeMode = .exact
  }

  func measure() async {
    var position = 0.0
    var speed = 0.0
    var longest = 0.0
    let start = ContinuousClock.now
    for frame in 0..<frames {
      // A flick every one and a half seconds, until the grid stops. Every fifth flick goes back.
      if frame % 90 == 30 { speed = (frame / 90 % 5 == 4 ? -1 : 1) * [12.0, 30, 20, 45][frame / 90 % 4] }
      speed *= 0.97
      position = min(max(0, position + speed / 60), Double(assets.count / columns - visibleRows))
      let begin = ContinuousClock.now
      show(from: Int(position), isFirst: frame == 0)
      longest = max(longest, begin.duration(to: .now).milliseconds)
      try? await Task.sleep(until: start + .seconds(Double(frame + 1) / 60), clock: .continuous)
    }
    try? await Task.sleep(for: .seconds(1))
    report("cells", Double(appeared))
    report("share", Double(ready) / Double(max(1, appeared)))
    report("late", Double(PHImageManager.lateImageCount))
    report("longest", longest)
  }

  private func show(from row: Int, isFirst: Bool) {
    let visible = range(row, row + visibleRows)
    for (index, cell) in cells where !visible.contains(index) {
      cells[index] = nil
      manager.cancelImageRequest(cell.id)
    }
    for index in visible where cells[index] == nil {
      let cell = Cell()
      cells[index] = cell
      cell.id = manager.requestImage(for: assets[index], targetSize: size, contentMode: .aspectFill, options: options) {
        image, info in
        if image != nil, info?[PHImageResultIsDegradedKey] as? Bool == false { cell.hasImage = true }
      }
      // The first screen can't be prepared in time.
      guard !isFirst else { continue }
      appeared += 1
      if cell.hasImage { ready += 1 }
    }
    preheat(row)
  }

  /// Prepares a screen above and a screen below. The window moves when the grid has moved by a
  /// third of a screen.
  private func preheat(_ row: Int) {
    if let preheatedRow, abs(row - preheatedRow) < visibleRows / 3 { return }
    let wanted = range(row - visibleRows, row + 2 * visibleRows)
    let (added, removed) = (
      IndexSet(integersIn: wanted).subtracting(IndexSet(integersIn: preheated)),
      IndexSet(integersIn: preheated).subtracting(IndexSet(integersIn: wanted))
    )
    manager.startCachingImages(
      for: assets.objects(at: added), targetSize: size, contentMode: .aspectFill,
      options: options)
    manager.stopCachingImages(
      for: assets.objects(at: removed), targetSize: size, contentMode: .aspectFill, options: options)
    (preheated, preheatedRow) = (wanted, row)
  }

  private func range(_ first: Int, _ end: Int) -> Range<Int> {
    max(0, first * columns)..<min(assets.count, max(0, end) * columns)
  }
}

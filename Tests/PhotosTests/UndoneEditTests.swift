import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

/// Tests undo of edits. The files of former edits are kept as long as the history.
@Suite struct UndoneEditTests {
  private let clock = TestClock()
  private let temporary: TemporaryLibrary
  private let asset: PHAsset
  private let renders: [Data]
  private var library: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary(clock: clock)
    asset = try temporary.addPhotos("A.JPG")[0]
    renders = try (1...2).map { try SampleMedia.jpeg(size: EditingFixture.square, seed: $0) }
  }

  private func edit(_ render: Data) throws {
    let output = PHContentEditingOutput(
      contentEditingInput: try #require(input()))
    output.adjustmentData = EditingFixture.sepia
    try render.write(to: output.renderedContentURL)
    try library.performChangesAndWait { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
  }

  private func input() -> PHContentEditingInput? {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var found: PHContentEditingInput?
    current.requestContentEditingInput(with: nil) { input, _ in
      found = input
      done.signal()
    }
    done.waits(for: "an input for an edit")
    return found
  }

  private var current: PHAsset {
    PHAsset.fetchAssets(with: temporary.options()).object(at: 0)
  }

  private func shown() -> Data? {
    let options = PHImageRequestOptions()
    options.isSynchronous = true
    var found: Data?
    PHImageManager.default().requestImageDataAndOrientation(for: current, options: options) { data, _, _, _ in
      found = data
    }
    return found
  }

  private var fileCount: Int {
    let folder = library.url.appendingPathComponent("adjustments").path
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.contains(".") }.count
  }

  private func revert() throws {
    try library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
  }

  @Test func `an edit and its revert are undone and redone with the same bytes`() async throws {
    let original = shown()
    try edit(renders[0])
    try edit(renders[1])
    try revert()
    #expect(shown() == original)
    for wanted in [renders[1], renders[0], original] {
      try await library.undo()
      #expect(shown() == wanted)
    }
    #expect(!current.hasAdjustments)
    for wanted in [renders[0], renders[1], original] {
      try await library.redo()
      #expect(shown() == wanted)
    }
    #expect(try findings() == [])
  }

  private func findings() throws -> [String] {
    nonisolated(unsafe) var found: [String] = []
    try library.verify { found.append($0.description) }
    return found
  }

  @Test func `the files of a reverted edit go with the history`() async throws {
    try edit(renders[0])
    try revert()
    // The picture, its data, and the list of both.
    #expect(fileCount == 3)
    clock.advance(by: 31 * 86_400)
    _ = try temporary.album("Norway", [])
    #expect(fileCount == 0)
    #expect(try findings() == [])
  }

  @Test func `the files of a reverted edit go with the photo`() async throws {
    try edit(renders[0])
    try revert()
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
    try library.performChangesAndWait { PHAssetChangeRequest.expungeAssets([asset] as NSArray) }
    #expect(fileCount == 0)
    #expect(try findings() == [])
  }

  @Test func `an edit over an edit is no way to undo the first`() async throws {
    try edit(renders[0])
    let number = try #require(library.transactions(limit: 1).first).number
    try edit(renders[1])
    let error = await #expect(throws: UndoError.self) { try await library.undo(number) }
    #expect(error?.localizedDescription == "Can’t undo: A.JPG has been changed since")
    #expect(shown() == renders[1])
  }
}

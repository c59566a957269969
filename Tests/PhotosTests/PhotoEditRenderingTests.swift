import AVFoundation
import CoreImage
import Foundation
import Imaging
import MovieCoding
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import Photos

/// Tests edits of photos, videos and Live Photos from the start to the commit.
@Suite struct PhotoEditRenderingTests {
  let fixture: EditingFixture

  init() throws { fixture = try EditingFixture() }

  private func edit(_ asset: PHAsset, _ change: (inout PhotoEdit) -> Void) async throws -> PHAsset {
    try await asset.edit(change)
    return fixture.refetched(asset)
  }

  private func current(_ asset: PHAsset) throws -> PixelBuffer {
    let data = try #require(fixture.imageData(asset, .current))
    return try EncodedPicture(data, named: "current").pixels()
  }

  /// Returns the mean difference of two pictures' bytes, or infinity if their sizes differ.
  private func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
    guard a.bytes.count == b.bytes.count else { return .infinity }
    return Double(zip(a.bytes, b.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.bytes.count)
  }

  @Test func anEditIsTakenUpAgainFromTheOriginal() async throws {
    let asset = try fixture.photo()
    let original = try #require(fixture.imageData(asset, .original))
    let cropped = try await edit(asset) { $0.crop = .init(x: 0, y: 0, width: 0.5, height: 1) }
    #expect(([cropped.pixelWidth, cropped.pixelHeight] as [Int]) == [32, 48])
    #expect(cropped.adjustmentFormatIdentifier == "org.calotype.edit")
    let brown = try await edit(cropped) { $0.filter = .sepia }
    #expect(([brown.pixelWidth, brown.pixelHeight] as [Int]) == [32, 48])
    #expect(brown.hasAdjustments)
    // One edit with both changes gives the same bytes, so nothing was encoded twice.
    let other = try fixture.temporary.add(SampleFile("IMG_0002.JPG", original + Data([0])))[0]
    let atOnce = try await edit(other) {
      $0.crop = .init(x: 0, y: 0, width: 0.5, height: 1)
      $0.filter = .sepia
    }
    #expect(try current(brown) == current(atOnce))
    #expect(fixture.imageData(brown, .original) == original)
    #expect(fixture.resources(brown).count == 3)
  }

  @Test func anEditThatComesToNothingIsARevert() async throws {
    let turned = try await edit(fixture.photo()) { $0.turn(byQuarters: 1) }
    #expect(turned.hasAdjustments)
    let back = try await edit(turned) { $0.turn(byQuarters: 3) }
    #expect(!back.hasAdjustments)
    let transaction = fixture.library.currentChangeToken.transaction
    #expect(try await !edit(back) { _ in }.hasAdjustments)
    #expect(fixture.library.currentChangeToken.transaction == transaction)
  }

  @Test func aTurnAloneOfAJPEGLosesNothing() async throws {
    let asset = try fixture.photo()
    let before = try current(asset)
    let turned = try await edit(asset) {
      $0.flip(.horizontal)
      $0.turn(byQuarters: 1)
    }
    // `rotateJPEGLosslessly` has tests of its own that it loses nothing.
    let file = try MediaFile(data: #require(fixture.imageData(asset, .original)), name: "original")
    let expected = try rotateJPEGLosslessly(file, by: Turn(isMirrored: true, quarterTurns: 1))
    #expect(fixture.imageData(turned, .current) == expected)
    #expect(try difference(current(turned), before.oriented(7)) < 1)
  }

  @Test func anotherProgramsEditIsWhatTheNewOneIsMadeOf() async throws {
    let asset = try fixture.photo()
    let render = try SampleMedia.jpeg(size: EditingFixture.square, seed: 2)
    let foreign = try await fixture.edit(asset, render)
    let turned = try await edit(foreign) { $0.turn(byQuarters: 1) }
    let base = try EncodedPicture(render, named: "render").pixels()
    #expect(try difference(current(turned), base.oriented(6)) < 1)
    #expect(
      fixture.resources(turned) == [
        "photo IMG_0001.JPG", "fullSizePhoto FullSizeRender.jpg", "adjustmentBasePhoto FullSizeRender.jpg",
        "adjustmentData Adjustments.plist",
      ])
    // A further edit starts from that render, not from the original.
    let around = try await edit(turned) { $0.turn(byQuarters: 1) }
    #expect(try difference(current(around), base.oriented(3)) < 1)
    #expect(fixture.resources(around).count == 4)
    // If all changes cancel out, the other program's render is still shown.
    let back = try await edit(around) { $0.turn(byQuarters: 2) }
    #expect(try current(back) == base)
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: back).revertAssetContentToOriginal() }
    #expect(fixture.resources(fixture.refetched(asset)) == ["photo IMG_0001.JPG"])
  }

  @Test func anotherProgramsEditStaysWhereNothingIsDoneToIt() async throws {
    let asset = try fixture.photo()
    let foreign = try await fixture.edit(asset, SampleMedia.jpeg(size: EditingFixture.square, seed: 2))
    let before = fixture.resources(foreign)
    let data = try #require(fixture.imageData(foreign, .current))
    let after = try await edit(foreign) { $0.filter = nil }
    #expect(fixture.resources(after) == before)
    #expect(fixture.imageData(after, .current) == data)
  }

  @Test func dateAndPlaceStayInTheRenderedFile() async throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: -21_600)
    metadata.place = .init(latitude: 41.25, longitude: -96, altitude: 320)
    metadata.camera = .iPhone
    let brown = try await edit(fixture.photo(metadata)) { $0.filter = .sepia }
    let render = try #require(fixture.imageData(brown, .current))
    let found = try MediaMetadata(of: MediaFile(data: render, name: "render"))
    #expect(found.captureDate.date == Date(timeIntervalSince1970: 1_551_741_611))
    #expect(found.captureDate.offset == -21_600)
    #expect(found.location?.latitude == 41.25)
    #expect(found.camera.model == SampleMetadata.Camera.iPhone.model)
  }

  @Test func aRenderHasTheQualityThatIsPromised() async throws {
    let brown = try await edit(fixture.photo()) { $0.filter = .sepia }
    let render = try [UInt8](#require(fixture.imageData(brown, .current)))
    let table = try #require(render.firstRange(of: [0xFF, 0xDB, 0, 67, 0]))
    // The last entry of the standard quantization table is 99, which becomes 16 at quality 92 and
    // 18 at 91.
    #expect(render[table.upperBound + 63] <= 16)
  }

  @Test func transparentPartsStayTransparent() async throws {
    let bytes = (0..<64 * 48).flatMap { [200, 40, 40, $0 % 64 < 32 ? 0 : 255] as [UInt8] }
    let png = try encode(
      PixelBuffer(width: 64, height: 48, channels: 4, bytes: bytes), as: "public.png", quality: 100)
    let asset = try fixture.temporary.add(SampleFile("logo.png", png))[0]
    let edited = try await edit(asset) { $0.crop = .init(x: 0.25, y: 0, width: 0.5, height: 1) }
    #expect(fixture.resources(edited)[1] == "fullSizePhoto FullSizeRender.png")
    let pixels = try current(edited)
    #expect(pixels.channels == 4)
    #expect(pixels.bytes[3] == 0 && pixels.bytes[4 * 31 + 3] == 255)
  }

  @Test func anAnimationBecomesAStill() async throws {
    let asset = try fixture.temporary.add(
      SampleFile("moving.gif", SampleMedia.animatedGIF(frames: 3, size: EditingFixture.small)))[0]
    #expect(asset.playbackStyle == .imageAnimated)
    let brown = try await edit(asset) { $0.filter = .sepia }
    #expect(brown.playbackStyle == .image)
    #expect(brown.mediaSubtypes.contains(.photoAnimation))
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: brown).revertAssetContentToOriginal() }
    #expect(fixture.refetched(asset).playbackStyle == .imageAnimated)
  }

  private func shaped(_ edit: inout PhotoEdit) {
    edit.filter = .sepia
    edit.exposure = 1
    edit.crop = .init(x: 0, y: 0, width: 0.5, height: 1)
    edit.turn(byQuarters: 1)
  }

  @Test("A video is edited as a photo is", arguments: [0, 90])
  func video(_ rotation: Int) async throws {
    let movie = try SampleMedia.movie(duration: 0.5, size: EditingFixture.small, rotation: rotation)
    let asset = try fixture.temporary.add(SampleFile("IMG_0002.MOV", movie))[0]
    let poster = try CIImage(pixels: current(asset))
    let brown = try await edit(asset, shaped)
    #expect(([brown.pixelWidth, brown.pixelHeight] as [Int]) == [asset.pixelHeight, asset.pixelWidth / 2])
    #expect(abs(brown.duration - asset.duration) < 0.1)
    var expected = PhotoEdit()
    shaped(&expected)
    // The tolerance is for H.264 and the poster's JPEG.
    let light = try current(brown)
    #expect(try difference(light, #require(expected.applied(to: poster).pixels())) < 12)
    let dark = try await edit(brown) { $0.exposure = -1 }
    #expect(([dark.pixelWidth, dark.pixelHeight] as [Int]) == [brown.pixelWidth, brown.pixelHeight])
    expected.exposure = -1
    #expect(try difference(current(dark), #require(expected.applied(to: poster).pixels())) < 12)
    #expect(try difference(current(dark), light) > 40)
  }

  @Test func aLivePhotoIsEditedInBothHalvesAndStaysLive() async throws {
    let asset = try fixture.temporary.add(SampleMedia.livePhoto(size: EditingFixture.small, stillType: .jpeg))
    let brown = try await edit(asset, shaped)
    #expect(brown.playbackStyle == .livePhoto)
    #expect(([brown.pixelWidth, brown.pixelHeight] as [Int]) == [48, 32])
    let resources = PHAssetResource.assetResources(for: brown)
    let movie = try #require(resources.first { $0.type == .fullSizePairedVideo })
    let original = try #require(resources.first { $0.type == .pairedVideo })
    #expect(movie.pixelWidth == original.pixelHeight)
    #expect(movie.pixelHeight == original.pixelWidth / 2)
    let still = try #require(fixture.imageData(brown, .current))
    #expect(try MediaMetadata(of: MediaFile(data: still, name: "still")).contentIdentifier != nil)
  }

  @Test func theMovieOfALivePhotoGetsTheColorsOfTheEdit() async throws {
    let asset = try fixture.temporary.add(SampleMedia.livePhoto(size: EditingFixture.small, stillType: .jpeg))
    let before = try await fixture.moviePicture(asset, .original)
    let brown = try await edit(asset, shaped)
    var expected = PhotoEdit()
    shaped(&expected)
    let pixels = try #require(expected.applied(to: CIImage(pixels: before)).pixels())
    // The tolerance is for H.264.
    #expect(try await difference(fixture.moviePicture(brown, .current), pixels) < 12)
  }

  @Test func anUnreadableFileCannotBeEdited() async throws {
    let asset = try fixture.temporary.add(
      SampleFile("broken.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9])))[0]
    await #expect(throws: PHPhotosError.self) { try await asset.edit { $0.filter = .sepia } }
  }

  /// Adds a 16:9 movie of 90 × 72 stored pixels, which is also the size in the container's header.
  /// Its right 42 columns are blue: 60 columns when it is shown.
  private func wideMovie() throws -> PHAsset {
    let url = fixture.temporary.folder.appendingPathComponent("wide.avi")
    try Child.check(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=red:s=48x72:d=0.3,pad=90:72:0:0:blue", "-vf",
      "setsar=64/45", "-c:v", "mpeg4", "-q:v", "2", url.path)
    return try fixture.temporary.add(SampleFile("MVI_0001.AVI", Data(contentsOf: url)))[0]
  }

  @Test func aMovieWhosePixelsAreNotSquareIsTurnedAndCroppedAsItIsShown() async throws {
    let asset = try wideMovie()
    let turned = try await edit(asset) { $0.turn(byQuarters: 1) }
    #expect(([turned.pixelWidth, turned.pixelHeight] as [Int]) == [72, 128])
    let right = try await edit(turned) {
      $0.turn(byQuarters: -1)
      $0.crop = .init(x: 0.5, y: 0, width: 0.5, height: 1)
    }
    #expect(([right.pixelWidth, right.pixelHeight] as [Int]) == [64, 72])
    let pixels = try current(right)
    // Checks red and blue in the middle row. Four columns are red; the others are the blue right
    // edge of the movie.
    let row = pixels.bytes[36 * 64 * pixels.channels..<37 * 64 * pixels.channels]
    func isBlue(_ x: Int) -> Bool {
      let pixel = row.dropFirst(x * pixels.channels).prefix(3).map(Int.init)
      return pixel[2] > pixel[0] + 60
    }
    #expect([1, 10, 40, 63].map(isBlue) == [false, true, true, true])
  }

  @Test func theEndIsToldOnceAndLast() async throws {
    let movie = try SampleMedia.movie(duration: 1, size: EditingFixture.small)
    let asset = try fixture.temporary.add(SampleFile("IMG_0002.MOV", movie))[0]
    let told = Mutex<[Double]>([])
    let tell: @Sendable (Double) -> Void = { share in told.withLock { $0.append(share) } }
    try await asset.edit(progressHandler: tell) { $0.filter = .noir }
    let shares = told.withLock(\.self)
    #expect(shares == shares.sorted() && shares.filter { $0 == 1 }.count == 1 && shares.last == 1)
  }

  @Test func aRenderingThatIsCanceledProcessesNoFurtherFrame() throws {
    let folder = fixture.temporary.folder
    let (source, render) = (folder.appendingPathComponent("source.mov"), folder.appendingPathComponent("render.mov"))
    try SampleMedia.movie(duration: 1, size: EditingFixture.small).write(to: source)
    let export = MovieExport(file: try MediaFile(path: source.path))
    let cancellation = Cancellation()
    var count = 0
    let error = #expect(throws: ImagingError.self) {
      try export.writePictures(to: render, cancellation) { image, _ in
        count += 1
        if count == 3 { cancellation.cancel() }
        return image
      }
    }
    #expect(error?.code == .tookTooLong)
    #expect(count == 3)
  }

  /// Starts a task that its own work may cancel.
  private func cancellable(
    _ work: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws -> Void
  ) -> Task<Void, any Error> {
    let own = OwnTask()
    return own.task.withLock { task in
      let started = Task { try await work { own.task.withLock(\.self)?.cancel() } }
      task = started
      return started
    }
  }

  private final class OwnTask: Sendable {
    let task = Mutex<Task<Void, any Error>?>(nil)
  }

  @Test func theWorkOfACanceledTaskIsToldSo() async throws {
    let wasTold = Mutex(false)
    let task = cancellable { cancel in
      try await PhotoEdit.onAnotherThread { cancellation in
        cancel()
        wasTold.withLock { $0 = cancellation.isCancelled }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(wasTold.withLock { $0 })
  }

  @Test func aCancelledEditLeavesTheAssetAsItIs() async throws {
    let asset = try fixture.temporary.add(
      SampleFile("IMG_0003.MOV", SampleMedia.movie(duration: 1, size: EditingFixture.small)))[0]
    // The first progress value comes while the movie is being rendered, or at the end of that.
    let task = cancellable { cancel in
      try await asset.edit(progressHandler: { _ in cancel() }) { $0.filter = .noir }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!fixture.refetched(asset).hasAdjustments)
  }

  @Test func anEditThatIsCanceledBeforeItBeginsThrowsACancellation() async throws {
    let asset = try fixture.photo()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await asset.edit { $0.filter = .noir }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // MARK: Concurrent edits

  @Test func nothingOfARenderIsLeftBehind() async throws {
    _ = try await edit(fixture.photo()) { $0.filter = .noir }
    // The next change begins when the objects of the last one are released.
    try fixture.library.performChangesAndWait {}
    let incoming = fixture.temporary.url.appendingPathComponent("incoming").path
    let left = try FileManager.default.contentsOfDirectory(atPath: incoming)
    #expect(left.filter { $0.hasPrefix("calotype-private-") } == [])
  }

  @Test func noTurnOfTenAtOnceIsLost() async throws {
    let asset = try fixture.photo()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { try await asset.edit { $0.turn(byQuarters: 1) } } }
      try await group.waitForAll()
    }
    #expect(try fixture.refetched(asset).photoEdit?.quarterTurns == 2)
    #expect(try fixture.findings().isEmpty)
  }

  @Test(arguments: [false, true])
  func `another program's edit meanwhile is what the new one is made of`(isThird: Bool) async throws {
    let asset = try fixture.photo()
    // The other program's commit removes the base from which the two edits start.
    if isThird {
      try await fixture.edit(asset, SampleMedia.jpeg(size: EditingFixture.square, seed: 3))
      try await asset.edit { $0.filter = .noir }
    }
    let foreign = try await fixture.output(for: asset)
    try SampleMedia.jpeg(size: EditingFixture.square, seed: 2).write(to: foreign.renderedContentURL)
    var calls = 0
    try await asset.edit { edit in
      calls += 1
      if calls == 1 { try fixture.commit(foreign, to: asset) }
      edit.turn(byQuarters: 1)
    }
    #expect(calls == 2)
    #expect(fixture.resources(fixture.refetched(asset)).contains("adjustmentBasePhoto FullSizeRender.jpg"))
  }

  @Test func aRevertTakesBackNoEditThatCameMeanwhile() async throws {
    let asset = try await edit(fixture.photo()) { $0.turn(byQuarters: 1) }
    let foreign = try await fixture.output(for: asset)
    try SampleMedia.jpeg(size: EditingFixture.square, seed: 2).write(to: foreign.renderedContentURL)
    var calls = 0
    try await asset.edit { edit in
      calls += 1
      if calls == 1 {
        try fixture.commit(foreign, to: asset)
        edit = PhotoEdit()
      }
    }
    #expect(calls == 2)
    #expect(fixture.refetched(asset).adjustmentFormatIdentifier == EditingFixture.sepia.formatIdentifier)
  }
}

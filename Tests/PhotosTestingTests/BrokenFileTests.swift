import Foundation
import Imaging
import PhotosTesting
import Testing

@Suite struct BrokenFileTests {
  @Test func aTruncatedJPEGShowsItsUpperPart() throws {
    let set = try placeholder(of: BrokenFiles.truncatedJPEG())
    #expect(!set.renditions.isEmpty)
    #expect(!set.notes.isEmpty)
  }

  @Test(arguments: 0...2) func `the other broken files give no rendition`(_ index: Int) throws {
    let files = [
      BrokenFiles.garbageJPEG(), BrokenFiles.zeroBytes,
      try BrokenFiles.movieWithoutIndex(),
    ]
    #expect(throws: ImagingError.self) { try placeholder(of: files[index]) }
  }

  @Test func aBadStreamsHeaderIsWhole() throws {
    let read = try metadata(of: BrokenFiles.badStreamPNG())
    #expect(read.size == .small)
    #expect(read.notes.isEmpty)
    #expect(try BrokenFiles.badStreamPNG() != SampleMedia.png(size: .small))
  }

  @Test func aHugeGIFSaysItsSize() throws {
    let read = try metadata(of: BrokenFiles.hugeGIF())
    #expect(read.size == PictureSize(width: 65_535, height: 65_535))
    #expect(BrokenFiles.hugeGIF().count < 2000)
  }
}

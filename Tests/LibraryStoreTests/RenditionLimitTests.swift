import Foundation
import Testing

@testable import LibraryStore

/// Tests the limits of the renditions kept for a library that can't be written.
@Suite struct RenditionLimitTests {
  let folder: TemporaryFolder
  let scratch: LibraryFolder
  let renditions: RenditionStore

  init() throws {
    folder = try TemporaryFolder()
    scratch = LibraryFolder(path: "\(folder.path)/scratch")
    try scratch.makeRoot()
    try scratch.makeFolder("renditions")
    renditions = try RenditionStore(
      of: LibraryFolder(path: folder.library), in: scratch, limits: .init(pictures: 1 << 20, files: 100_000))
  }

  @Test func whenThePicturesTakeTooMuchSpaceTheFormerOnesGo() throws {
    func picture(_ number: Int) -> RenditionStore.Picture {
      RenditionStore.Picture(
        kind: "grid", pixelWidth: 4, pixelHeight: 3, uniformTypeIdentifier: "public.jpeg",
        data: Data(repeating: UInt8(number), count: 50_000))
    }
    for number in 0..<60 {
      try renditions.store([.init(uuid: "\(number)", version: "1", pictures: [picture(number)], placeholder: nil)])
    }
    #expect(try renditions.picture(uuid: "59", kind: "grid", version: "1")?.data == picture(59).data)
    #expect(try renditions.picture(uuid: "0", kind: "grid", version: "1") == nil)
    #expect(try #require(try scratch.status("renditions.sqlite")).st_size <= 1 << 20)
  }

  @Test func whenTheFilesTakeTooMuchSpaceTheOldestGo() throws {
    let files = try (0..<5).map { number in
      let file = try renditions.file(uuid: UUID().uuidString, version: "1", name: "movie.mp4")
      try renditions.write(Data(count: 40_000), to: file)
      return file
    }
    #expect(files.map { FileManager.default.fileExists(atPath: $0) } == [false, false, true, true, true])
  }
}

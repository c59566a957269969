import Testing
import UniformTypeIdentifiers

@Suite struct UTTypeTests {
  @Test(arguments: [
    ("jpg", "public.jpeg"), ("JPEG", "public.jpeg"), ("HEIC", "public.heic"), ("png", "public.png"),
    ("dng", "com.adobe.raw-image"), ("tif", "public.tiff"), ("mov", "com.apple.quicktime-movie"),
    ("MP4", "public.mpeg-4"), ("m4v", "com.apple.m4v-video"), ("VOB", "public.mpeg"),
    ("MTS", "public.avchd-mpeg-2-transport-stream"), ("wmv", "com.microsoft.windows-media-wmv"),
    ("swf", "com.macromedia.shockwave-flash"), ("264", "int.itu.h264"), ("h265", "int.itu.hevc"),
    ("plist", "com.apple.property-list"),
  ])
  func `a file's name tells its type`(filenameExtension: String, identifier: String) {
    #expect(UTType(filenameExtension: filenameExtension)?.identifier == identifier)
  }

  @Test(arguments: [
    ("image/jpeg", "public.jpeg"), ("Image/HEIC", "public.heic"), ("video/quicktime", "com.apple.quicktime-movie"),
    ("video/avi", "public.avi"), ("audio/mp4", "public.mpeg-4-audio"), ("image/x-raw", "public.camera-raw-image"),
  ])
  func `a MIME type tells a type`(mimeType: String, identifier: String) {
    #expect(UTType(mimeType: mimeType)?.identifier == identifier)
  }

  @Test(arguments: [
    (UTType.jpeg, "jpeg", "image/jpeg"), (.mpeg, "mpg", "video/mpeg"), (.mpeg2TransportStream, "ts", "video/mp2t"),
    (.heic, "heic", "image/heic"), (.tiff, "tiff", "image/tiff"),
    (.quickTimeMovie, "mov", "video/quicktime"), (.mpeg4Movie, "mp4", "video/mp4"), (.gif, "gif", "image/gif"),
  ])
  func `a type prefers one name and one MIME type`(type: UTType, filenameExtension: String, mimeType: String) {
    #expect(type.preferredFilenameExtension == filenameExtension)
    #expect(type.preferredMIMEType == mimeType)
  }

  @Test(arguments: [
    (UTType.heic, UTType.image), (.heic, .heic), (.heic, .data), (.jpeg, .content), (.rawImage, .image),
    (.quickTimeMovie, .movie), (.mpeg4Movie, .audiovisualContent), (.mp3, .audio), (.video, .movie), (.image, .item),
  ])
  func `a type is of a kind`(type: UTType, kind: UTType) { #expect(type.conforms(to: kind)) }

  @Test(arguments: [
    (UTType.jpeg, UTType.movie), (.image, .jpeg), (.livePhoto, .image), (.movie, .video), (.mp3, .movie),
  ])
  func `a type is of no other kind`(type: UTType, kind: UTType) { #expect(!type.conforms(to: kind)) }

  @Test func `a kind can be asked for`() {
    #expect(UTType(filenameExtension: "mov", conformingTo: .movie) == .quickTimeMovie)
    #expect(UTType(filenameExtension: "mov", conformingTo: .image) == nil)
    #expect(UTType(mimeType: "video/mp4", conformingTo: .audio) == nil)
  }

  @Test func `an unlisted name has no type`() {
    #expect(UTType("com.example.nothing") == nil)
    #expect(UTType(filenameExtension: "nothing") == nil)
    #expect(UTType(mimeType: "") == nil)
  }

  @Test func `a program declares its own types`() {
    let own = UTType(exportedAs: "com.example.drawing", conformingTo: .png)
    #expect(own.conforms(to: .image))
    #expect(own == UTType(importedAs: "com.example.drawing"))
    #expect(own.preferredFilenameExtension == nil)
  }

  @Test func `every raw file's type is a raw image's`() throws {
    let raw = ["dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef", "srw", "kdc", "iiq"]
    #expect(raw.filter { UTType(filenameExtension: $0, conformingTo: .rawImage) == nil } == [])
    #expect(try #require(UTType("com.sony.arw-raw-image")).preferredMIMEType == "image/x-raw")
  }
}

import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Tests the titles, captions and keywords in files of real programs. Skipped without
/// `CALOTYPE_CORPUS`.
@Suite(.enabled(if: corpus != nil)) struct CorpusTextTests {
  struct Words: Sendable, CustomTestStringConvertible {
    var path: String
    var title: String?
    var caption: String?
    var keywords: [String] = []
    var placeNames: [String] = []
    var rating = 0
    var testDescription: String { path }
  }

  @Test(arguments: [
    Words(path: "apple-edited/wedding.jpg", caption: "Bride Wedding day", keywords: ["Maria", "wedding"]),
    Words(path: "apple-edited/wedding_edited.jpg", keywords: ["wedding"]),
    Words(path: "corrupt/wrong.heic", caption: "Animal with green eyes on table burst", keywords: ["Marienkäfer"]),
    Words(path: "jpeg/picasa_tags.jpg", caption: "Image-Description", keywords: ["Frost", "Yard"]),
    Words(path: "jpeg/portrait-orientation-6.jpg", keywords: ["Marie Curie", "Pierre Curie"]),
    Words(path: "jpeg/rating_mongolels.jpg", title: "Mongol Els", caption: "Mongol Els", rating: 3),
    Words(
      path: "jpeg/thompson_springs_gps.jpg",
      caption: """
        Early winter scene in the mostly barren, lightly occupied quarter of southeastern Utah, near the remote \
        settlement of Thompson Springs in the western U.S. state of Utah.
        """,
      keywords: ["carol m. highsmith", "america", "utah", "utah winter scenes", "thompson springs"],
      placeNames: ["Thompson Springs", "Utah", "United States"]),
    Words(
      path: "takeout-en/Takeout/Google Photos/Pumpkin Farm/Pumkins1.jpg", title: "Can we carry this?",
      caption: "Girls with pumpkins", keywords: ["Katie", "Suzy", "Kids"]),
    Words(path: "webp/denali_exif.webp", title: "Denali National Park and Preserve"),
    // Default texts of cameras, blank fields, and cameras on the back of a phone.
    Words(path: "jpeg/cameras/olympus-c960.jpg"), Words(path: "jpeg/samsung_gps_zero.jpg"),
    Words(path: "jpeg/sony_hx5v_gps.jpg"), Words(path: "heic/iphone13pro_IMG_8565.HEIC"),
    Words(path: "video/hevc.mov"),
  ]) func aRealFilesWordsAreRead(_ words: Words) throws {
    let metadata = try MediaMetadata(of: MediaFile(path: "\(try #require(corpus))/\(words.path)"))
    #expect(metadata.title == words.title)
    #expect(metadata.caption == words.caption)
    #expect(metadata.keywords == words.keywords)
    #expect(metadata.placeNames == words.placeNames)
    #expect(metadata.rating == words.rating)
    #expect(!metadata.isSelfie)
  }
}

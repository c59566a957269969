import Photos
import Testing

@Suite struct PickerTests {
  private let library: ExampleLibrary

  init() throws { library = try ExampleLibrary() }

  /// The picked items: two images, then a Live Photo in addition, and nothing new at last.
  private var answers: String {
    let (a, d) = (library.photos[0].localIdentifier, library.photos[3].localIdentifier)
    return "picked:\(d),\(a);picked:\(d),\(a),\(library.live.localIdentifier);cancelled"
  }

  private static let expected = """
    images: 2 picked
      D: image, 32 × 24, taken 1970:01:04 00:00:00
      A: image, 32 × 24, taken 1970:01:01 00:00:00
    Live Photos and videos: 3 picked
      D: image, 32 × 24, taken 1970:01:04 00:00:00
      A: image, 32 × 24, taken 1970:01:01 00:00:00
      E: Live Photo, 160 × 120, has its movie: true
    anything: 3 picked
      D: image, 32 × 24, taken 1970:01:04 00:00:00
      A: image, 32 × 24, taken 1970:01:01 00:00:00
      E: Live Photo, 160 × 120, has its movie: true
    access: never asked for

    """

  @Test(
    "R-09, R-10, R-26: picked items arrive in their order, kept ones stay, and no access is needed",
    arguments: ["authorized", "denied"])
  func picked(authorization: String) throws {
    let output = try library.run("PickPhotos", authorization: authorization, picker: answers)
    #expect(output == Self.expected)
  }

  @Test("R-10: a canceled picker hands over nothing") func cancelled() throws {
    let output = try library.run("PickPhotos", picker: "cancelled")
    #expect(
      output == """
        images: 0 picked
        Live Photos and videos: 0 picked
        anything: 0 picked
        access: never asked for

        """)
  }
}

import Foundation
import Photos
import Testing

@testable import PhotosServer

/// Tests that the steps of an edit show in the picture. The upper half of the original is red and
/// green, and the lower one blue and white, each from left to right.
@Suite struct EditStepTests {
  private let server: TestServer
  private let asset: PHAsset

  private enum Color: Int, CaseIterable { case red, green, blue, white }

  private static let values: [[Int]] = [[200, 40, 40], [40, 180, 40], [40, 40, 200], [220, 220, 220]]

  init() throws {
    var file = bitmap(width: 80, height: 40)
    for row in 0..<40 {
      for column in 0..<80 {
        // The rows of the file begin at the bottom, and its bytes are blue, green and red.
        let color = (row < 20 ? 2 : 0) + (column < 40 ? 0 : 1)
        let pixel = 54 + row * 240 + column * 3
        file.replaceSubrange(pixel..<pixel + 3, with: Self.values[color].reversed().map(UInt8.init))
      }
    }
    server = try TestServer()
    asset = try server.add(file)
  }

  private func edit(_ steps: String) async throws {
    let answer = try await server.post(
      "/api/v1/changes",
      json: #"{"changes":[{"type":"editAssets","assets":["\#(asset.uuid)"],"steps":{\#(steps)}}]}"#, isSignedIn: true)
    #expect(answer.status == 200, "\(steps): \(answer.text)")
  }

  /// The pixels of the current picture.
  private struct Picture {
    var width: Int
    var height: Int
    private var channels: Int
    private var bytes: [UInt8]

    init(jpeg: Data) throws {
      let pixels = try #require(UIImage(data: jpeg)?.pixels())
      (width, height, channels) = (pixels.width, pixels.height, pixels.channels)
      bytes = Array(pixels.bytes)
    }

    /// Returns the red, green and blue at a place, in fractions of the sides from the upper left
    /// corner.
    func value(_ x: Double, _ y: Double) -> [Int] {
      let start = (Int(y * Double(height)) * width + Int(x * Double(width))) * channels
      return bytes[start..<start + 3].map(Int.init)
    }

    /// Returns the colors at the places; `nil` for another color.
    func colors(at places: [(Double, Double)]) -> [Color?] {
      places.map { x, y in
        Color.allCases.first { zip(EditStepTests.values[$0.rawValue], value(x, y)).allSatisfy { abs($0 - $1) < 25 } }
      }
    }

    /// The values in the middle of each quarter, and between them.
    var sample: [Int] {
      [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75), (0.5, 0.2), (0.8, 0.5)].flatMap { value($0.0, $0.1) }
    }
  }

  private func picture(version: String = "current") async throws -> Picture {
    let answer = try await server.post(
      "/api/v1/images", json: #"{"asset":"\#(asset.uuid)","version":"\#(version)"}"#, isSignedIn: true)
    #expect(answer.status == 200, "\(answer.text)")
    return try Picture(jpeg: answer.body)
  }

  /// Returns the sizes that the picture and the cell have.
  private func sizes() async throws -> [[Int]] {
    let picture = try await picture()
    let cells = try JSONDecoder().decode(
      AssetsAnswer.self, from: await server.ask("/api/v1/collections/userLibrary/assets").body
    ).assets
    return [[picture.width, picture.height]] + cells.map { [$0.pixelWidth, $0.pixelHeight] }
  }

  private static let quarters = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]

  @Test(arguments: [
    ("", [0, 1, 2, 3]), (#""rotate":90"#, [2, 0, 3, 1]), (#""rotate":180"#, [3, 2, 1, 0]),
    (#""rotate":270"#, [1, 3, 0, 2]), (#""mirror":true"#, [1, 0, 3, 2]),
    // The picture is mirrored before it is turned.
    (#""mirror":true,"rotate":90"#, [3, 1, 2, 0]), (#""mirror":true,"rotate":180"#, [2, 3, 0, 1]),
  ])
  func `a turned and mirrored picture has its parts at their new places`(steps: String, expected: [Int]) async throws {
    try await edit(steps)
    let size = steps.contains("90") || steps.contains("270") ? [40, 80] : [80, 40]
    #expect(try await sizes() == [size, size])
    #expect(try await picture().colors(at: Self.quarters).map(\.?.rawValue) == expected)
    #expect(try await picture(version: "original").colors(at: Self.quarters).map(\.?.rawValue) == [0, 1, 2, 3])
  }

  @Test(arguments: [
    (#""crop":{"x":0.5,"y":0,"width":0.5,"height":0.5}"#, [40, 20], 1),
    (#""crop":{"x":0,"y":0.5,"width":0.25,"height":0.5}"#, [20, 20], 2),
    // The turned picture is cropped.
    (#""crop":{"x":0.5,"y":0.5,"width":0.5,"height":0.25},"rotate":90"#, [20, 20], 1),
  ])
  func `a cropped picture has the size and the color of its part`(
    steps: String, size: [Int], expected: Int
  ) async throws {
    try await edit(steps)
    #expect(try await sizes() == [size, size])
    #expect(try await picture().colors(at: Self.quarters).map(\.?.rawValue) == Array(repeating: expected, count: 4))
  }

  @Test(arguments: [(45, [0, 1, 2, 3]), (-45, [1, 3, 0, 2])])
  func `a straightened picture is turned about its middle, and fills its size`(
    degrees: Int, expected: [Int]
  ) async throws {
    try await edit(#""straighten":\#(degrees)"#)
    #expect(try await sizes() == [[80, 40], [80, 40]])
    // Above the middle, and at its right, left and lower sides.
    let places = [(0.5, 0.25), (0.65, 0.5), (0.35, 0.5), (0.5, 0.75)]
    #expect(try await picture().colors(at: places).map(\.?.rawValue) == expected)
    let corners = [(0.01, 0.02), (0.98, 0.02), (0.01, 0.97), (0.98, 0.97)]
    #expect(try await picture().colors(at: corners).allSatisfy { $0 != nil })
  }

  private struct Steps: Decodable {
    struct Adjustment: Decodable {
      var name: String
      var minimum: Double
      var maximum: Double
    }
    var filters: [String]
    var adjustments: [Adjustment]
  }

  @Test func `each listed step shows in the picture, and each filter in its own way`() async throws {
    let steps = try JSONDecoder().decode(Steps.self, from: await server.ask("/api/v1/filters").body)
    let original = try await picture().sample
    for adjustment in steps.adjustments {
      for value in [adjustment.minimum, adjustment.maximum] {
        try await edit(#""\#(adjustment.name)":\#(value)"#)
        let sample = try await picture().sample
        #expect(zip(sample, original).contains { abs($0 - $1) > 20 }, "\(adjustment.name) \(value)")
      }
    }
    var looks: Set<[Int]> = [original]
    for filter in steps.filters {
      try await edit(#""filter":"\#(filter)""#)
      #expect(looks.insert(try await picture().sample).inserted, "\(filter)")
    }
  }
}

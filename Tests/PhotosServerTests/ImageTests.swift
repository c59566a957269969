import Foundation
import Hummingbird
import Photos
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct ImageTests {
  private func size(of jpeg: Data) throws -> [Double] {
    let image = try #require(UIImage(data: jpeg))
    return [image.size.width * image.scale, image.size.height * image.scale]
  }

  @Test(arguments: [
    (#""width":20,"height":20,"resizeMode":"exact""#, [20.0, 10]),
    (#""width":80,"height":80,"deliveryMode":"fastFormat""#, [80, 40]),
    (#""width":8,"height":8,"resizeMode":"exact","contentMode":"aspectFit","version":"original""#, [8, 4]),
    (#""resizeMode":"exact","normalizedCropRect":{"x":0,"y":0,"width":0.5,"height":1}"#, [40, 40]), ("", [80, 40]),
  ])
  func `O-04: an image has the requested size`(wish: String, expected: [Double]) async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 80, height: 40))
    let json = #"{"asset":"\#(asset.uuid)"\#(wish.isEmpty ? "" : ",")\#(wish)}"#
    let answer = try await server.post("/api/v1/images", json: json, isSignedIn: true)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.field("Content-Type") == "image/jpeg")
    #expect(try size(of: answer.body) == expected)
  }

  /// The color in the middle of a JPEG.
  private func color(of jpeg: Data) throws -> [Int] {
    let pixels = try #require(UIImage(data: jpeg)?.pixels())
    let start = (pixels.height / 2 * pixels.width + pixels.width / 2) * pixels.channels
    return pixels.bytes[start..<start + 3].map(Int.init)
  }

  private func isNear(_ color: [Int], _ other: [Int]) -> Bool {
    zip(color, other).allSatisfy { abs($0 - $1) <= 12 }
  }

  @Test func `O-04: an image has the version that is asked for`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 80, height: 40))
    let edit = #"{"changes":[{"type":"editAssets","assets":["\#(asset.uuid)"],"steps":{"filter":"sepia"}}]}"#
    #expect(try await server.post("/api/v1/changes", json: edit, isSignedIn: true).status == 200)
    func color(_ version: String) async throws -> [Int] {
      let json = #"{"asset":"\#(asset.uuid)","version":"\#(version)"}"#
      return try self.color(of: try await server.post("/api/v1/images", json: json, isSignedIn: true).body)
    }
    let bitmapColor = [200, 80, 40]
    #expect(isNear(try await color("original"), bitmapColor))
    #expect(isNear(try await color("unadjusted"), bitmapColor))
    #expect(!isNear(try await color("current"), bitmapColor))
  }

  @Test(arguments: [(0.0, [200, 80, 40]), (0.5, [40, 80, 200])])
  func `O-04: a cropped image shows the requested part of the picture`(left: Double, expected: [Int]) async throws {
    let server = try TestServer()
    // The right half has red and blue exchanged.
    var file = bitmap(width: 80, height: 40)
    for row in 0..<40 {
      for column in 40..<80 {
        let pixel = 54 + row * 240 + column * 3
        file.swapAt(pixel, pixel + 2)
      }
    }
    let asset = try server.add(file)
    let part = #"{"x":\#(left),"y":0,"width":0.5,"height":1}"#
    let json = #"{"asset":"\#(asset.uuid)","resizeMode":"exact","normalizedCropRect":\#(part)}"#
    let answer = try await server.post("/api/v1/images", json: json, isSignedIn: true)
    #expect(try size(of: answer.body) == [40, 40])
    #expect(isNear(try color(of: answer.body), expected))
  }

  @Test func `O-04: an opportunistic request answers with the stored picture before the whole one`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 800, height: 400))
    // The first request for the grid picture stores it.
    let grid = try await server.ask("/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/grid")
    #expect(grid.status == 200)
    let answer = try await server.post(
      "/api/v1/images", json: #"{"asset":"\#(asset.uuid)","deliveryMode":"opportunistic"}"#, isSignedIn: true)
    let text = String(decoding: answer.body, as: Unicode.ASCII.self)
    #expect(text.matches(of: /X-Degraded: (true|false)/).map { String($0.1) } == ["true", "false"])
    // Each answer is a picture, and the last one is whole.
    let pictures = try text.matches(of: /Content-Length: (\d+)\r\n.*\r\n\r\n/).map { head in
      // Each byte is one scalar.
      let start = text.unicodeScalars.distance(from: text.startIndex, to: head.range.upperBound)
      return try size(of: answer.body.dropFirst(start).prefix(#require(Int(head.1))))
    }
    #expect(pictures.count == 2)
    #expect(pictures.last == [800, 400])
  }

  @Test func `O-04: an opportunistic request has several answers on one stream`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 800, height: 400))
    let answer = try await server.post(
      "/api/v1/images", json: #"{"asset":"\#(asset.uuid)","deliveryMode":"opportunistic"}"#, isSignedIn: true)
    #expect(answer.field("Content-Type")?.hasPrefix("multipart/mixed; boundary=image-") == true)
    let text = String(decoding: answer.body, as: Unicode.ASCII.self)
    #expect(text.ranges(of: "X-Degraded: false").count == 1)
    #expect(text.hasSuffix("--\r\n"))
  }

  @Test(arguments: [(11_000, 3, 422), (3, 4097, 422), (4096, 1, 200), (5000, 2, 200), (5001, 2, 422)])
  func `a small asset is not enlarged beyond 4096 pixels`(width: Int, height: Int, status: Int) async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: width == 11_000 ? 80 : 5000, height: 2))
    let json =
      #"{"asset":"\#(asset.uuid)","width":\#(width),"height":\#(height),"contentMode":"aspectFill","resizeMode":"exact"}"#
    let answer = try await server.post("/api/v1/images", json: json, isSignedIn: true)
    #expect(answer.status == status, "\(answer.text.prefix(300))")
    if status == 200 { #expect(try size(of: answer.body) == [Double(width), Double(height)]) }
    let inexact = json.replacing("exact", with: "fast")
    #expect(try await server.post("/api/v1/images", json: inexact, isSignedIn: true).status == 200)
  }

  @Test func `U-15: fifty large pictures at once are limited in number and memory`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 80, height: 40))
    let json = #"{"asset":"\#(asset.uuid)","width":4096,"height":4096,"contentMode":"aspectFill","resizeMode":"exact"}"#
    #expect(try await server.post("/api/v1/images", json: json, isSignedIn: true).status == 200)
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let before = try peakMemory()
    // An answer that is not read keeps its place, so no request finds the place of another.
    var answers = try await withThrowingTaskGroup(of: Response.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await server.response(
            to: "/api/v1/images", ["Content-Type": "application/json"], method: "POST", body: json)
        }
      }
      return try await group.reduce(into: [Response]()) { $0.append($1) }
    }
    #expect(answers.filter { $0.status == .ok }.count == PictureWork.limitOfAsker)
    #expect(answers.filter { $0.status == .tooManyRequests }.count == 50 - PictureWork.limitOfAsker)
    if Soak.isOn { #expect(try peakMemory() - before <= 512 << 20) }
    answers = []
    #expect(try await server.post("/api/v1/images", json: json, isSignedIn: true).status == 200)
  }

  @Test func `the steps of an edit are listed with their ranges, and each is one`() async throws {
    struct Steps: Decodable {
      struct Adjustment: Decodable {
        var name: String
        var minimum: Double
        var maximum: Double
      }
      var filters: [String]
      var adjustments: [Adjustment]
    }
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 80, height: 40))
    let steps = try JSONDecoder().decode(Steps.self, from: try await server.ask("/api/v1/filters").body)
    #expect(steps.filters.contains("sepia"))
    #expect(steps.adjustments.map(\.name) == ["straighten", "exposure", "contrast", "saturation", "warmth"])
    let all =
      steps.adjustments.map { #""\#($0.name)":\#($0.maximum)"# } + steps.filters.map { #""filter":"\#($0)""# }
    for step in all {
      let json = #"{"changes":[{"type":"editAssets","assets":["\#(asset.uuid)"],"steps":{\#(step)}}]}"#
      #expect(try await server.post("/api/v1/changes", json: json, isSignedIn: true).status == 200, "\(step)")
    }
  }

  @Test(arguments: [
    (#"{"asset":"nothing"}"#, 404, "nothing"), (#"{}"#, 400, "body"),
    (#"{"asset":"A","width":0,"height":3}"#, 400, "width"),
    (#"{"asset":"A","width":3}"#, 400, "height"), (#"{"asset":"A","version":"newest"}"#, 400, "version"),
    (#"{"asset":"A","normalizedCropRect":{"x":0,"y":0,"width":1,"height":1}}"#, 400, "resizeMode"),
    (
      #"{"asset":"A","resizeMode":"exact","normalizedCropRect":{"x":0.5,"y":0,"width":1,"height":1}}"#, 400, "fractions"
    ),
  ])
  func `a request for an image names what is wrong`(json: String, status: Int, word: String) async throws {
    let answer = try await TestServer().post("/api/v1/images", json: json, isSignedIn: true)
    #expect(answer.status == status)
    #expect(answer.problem?.detail.contains(word) == true)
  }
}

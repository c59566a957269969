import Foundation
import NIOCore
import PhotosJSON
import PhotosTesting
import Testing

@testable @_spi(Testing) import Photos
@testable import PhotosServer

@Suite struct PictureTests {
  @Test(arguments: ["grid", "screen", "full"])
  func `a picture is kept for ever under its address`(kind: String) async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let path = "/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/\(kind)"
    let first = try await server.ask(path)
    #expect(first.status == 200)
    #expect(first.field("Content-Type")?.hasPrefix("image/") == true)
    #expect(first.field("Cache-Control") == "private, max-age=31536000, immutable")
    // For a page of another origin, which may not read this answer, the browser asks again.
    #expect(first.field("Vary") == "Origin")
    #expect(first.field("Content-Security-Policy") == SecurityHeaders.contentSecurityPolicy)
    let second = try await server.ask(path)
    #expect(second.body == first.body)
    #expect(second.fields == first.fields)
    let head = try await server.ask(path, method: "HEAD")
    #expect(head.fields == first.fields)
    #expect(head.body.isEmpty)
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0001.BMP"])
  func `a full picture is a file, sent whole or in ranges`(name: String) async throws {
    let server = try TestServer()
    let isShownAsItIs = name.hasSuffix("JPG")
    let original = try isShownAsItIs ? SampleMedia.jpeg(size: .small) : bitmap()
    let asset = try server.add(original, named: name)
    let path = "/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/full"
    let whole = try await server.ask(path)
    #expect(whole.status == 200)
    #expect(whole.field("Content-Type")?.hasPrefix("image/") == true)
    #expect(whole.field("Content-Length") == "\(whole.body.count)")
    #expect(whole.field("Content-Disposition") == nil)
    #expect((whole.body == original) == isShownAsItIs)
    let part = try await server.ask(path, ["Range": "bytes=4-9"])
    #expect(part.status == 206)
    #expect(part.body == whole.body[4...9])
    let tag = try #require(whole.field("ETag"))
    #expect(try await server.ask(path, ["If-None-Match": tag]).status == 304)
    // The second request finds the file that the first one made.
    let rendition = try await PHImageManager.default().rendition(.full, for: asset)
    #expect(rendition.data.isEmpty)
    #expect(rendition.file?.byteCount == whole.body.count)
  }

  @Test func `a version that isn't the asset's is not found`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let answer = try await server.ask("/api/v1/renditions/\(asset.uuid)/other/grid")
    #expect(answer.status == 404)
    #expect(answer.field("Cache-Control") == "no-store")
  }

  @Test func `a photo has no movie`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    #expect(try await server.ask("/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/video").status == 404)
  }

  @Test func `an unreadable asset is sent as an SVG without scripts`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 64, height: 64).prefix(60))
    #expect(asset.isUnreadable)
    for kind in ["grid", "screen", "full"] {
      let answer = try await server.ask("/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/\(kind)")
      #expect(answer.status == 200)
      #expect(answer.field("Content-Type") == "image/svg+xml")
      #expect(answer.field("Content-Security-Policy") == "default-src 'none'; style-src 'unsafe-inline'")
      #expect(answer.field("Cache-Control") == "no-store")
      #expect(answer.text.hasPrefix("<svg "))
    }
  }

  @Test func `an asset that can't be read any more is a drawing, and has the reason from then on`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 64, height: 64))
    let path = "/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)"
    server.library.forgetRenditionsForTesting(of: [asset])
    let file = PHAssetResource.assetResources(for: asset)[0].fileURLForTesting
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try bitmap(width: 64, height: 64).prefix(60).write(to: file)
    let answer = try await server.ask("\(path)/grid")
    #expect(answer.status == 200)
    #expect(answer.field("Content-Type") == "image/svg+xml")
    AssetPictures.waitForReadabilityWrites()
    let described = try await server.ask("/api/v1/assets/\(asset.uuid)").body
    let reason = try JSONDecoder().decode(AssetDetailDescription.self, from: described).unreadableReason
    #expect(reason?.isEmpty == false)
    #expect(try await server.ask("/api/v1/collections/userLibrary/assets").text.contains(#""unreadable":true"#))
    #expect(try await server.ask("\(path)/screen").text.hasPrefix("<svg "))
  }

  @Test func `pictures at hand are those of the confirmed revision, for a moment`() {
    let clock = TestClock()
    let pictures = GridPictures { clock.time }
    let answer = PictureAnswer(
      AssetRendition(data: Data("picture".utf8), uniformTypeIdentifier: "public.jpeg", pixelWidth: 1, pixelHeight: 1),
      SecurityHeaders(isHTTPS: false))
    pictures.insert(answer, at: "/a", revision: "1")
    #expect(pictures.picture(at: "/a") == nil)
    pictures.confirm(revision: "1")
    pictures.insert(answer, at: "/a", revision: "1")
    pictures.insert(answer, at: "/b", revision: "0")
    #expect(pictures.picture(at: "/b") == nil)
    clock.advance(0.999)
    #expect(pictures.picture(at: "/a") != nil)
    clock.advance(0.001)
    #expect(pictures.picture(at: "/a") == nil)
    pictures.confirm(revision: "1")
    #expect(pictures.picture(at: "/a") != nil)
    pictures.confirm(revision: "2")
    #expect(pictures.picture(at: "/a") == nil)
  }

  @Test func `an asset that was deleted or changed since is not taken from memory`() throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let pictures = GridPictures()
    pictures.insert([asset], revision: "1")
    #expect(pictures.asset(id: asset.uuid[...], revision: "1") == nil)
    pictures.confirm(revision: "1")
    pictures.insert([asset], revision: "1")
    #expect(pictures.asset(id: asset.uuid[...], revision: "1") == asset)
    #expect(pictures.asset(id: asset.uuid[...], revision: "2") == nil)
    pictures.confirm(revision: "2")
    #expect(pictures.asset(id: asset.uuid[...], revision: "2") == nil)
  }

  @Test func `the least recently used value makes room`() {
    var kept = LeastRecentlyUsed<String, Int>(costLimit: 30)
    kept.insert(1, for: "a", cost: 10)
    kept.insert(2, for: "b", cost: 10)
    kept.insert(3, for: "c", cost: 10)
    #expect(kept.value(for: "a") == 1)
    kept.insert(4, for: "d", cost: 10)
    #expect(kept.value(for: "b") == nil)
    kept.insert(5, for: "e", cost: 20)
    #expect(kept.value(for: "c") == nil)
    #expect(kept.value(for: "a") == nil)
    #expect(kept.value(for: "d") == 4)
    kept.insert(6, for: "d", cost: 5)
    #expect(kept.value(for: "d") == 6)
    #expect(kept.cost == 25)
    kept.insert(7, for: "f", cost: 31)
    #expect(kept.value(for: "f") == nil)
    #expect(kept.count == 2)
    kept.removeAll()
    #expect(kept.count == 0 && kept.cost == 0)
  }

  @Test func `the LRU cache keeps the same values as a plain list`() {
    var kept = LeastRecentlyUsed<Int, Int>(costLimit: 20)
    var list: [(key: Int, cost: Int)] = []
    var random = UInt64(1)
    for _ in 0..<20_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = Int(random >> 40 % 12)
      let place = list.firstIndex { $0.key == key }
      if random >> 33 & 1 == 0 {
        #expect((kept.value(for: key) != nil) == (place != nil))
        if let place { list.append(list.remove(at: place)) }
      } else {
        let cost = 1 + Int(random >> 50 % 7)
        kept.insert(key, for: key, cost: cost)
        if let place { list.remove(at: place) }
        while list.reduce(cost, { $0 + $1.cost }) > 20 { list.removeFirst() }
        list.append((key, cost))
      }
    }
    #expect(kept.cost == list.reduce(0) { $0 + $1.cost })
  }
}

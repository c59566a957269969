import Foundation
import PhotosTesting
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

/// Compares the replies of a worker with the results of the same code in this process.
@Suite struct WorkerEqualityTests {
  private func expectEqual(_ file: MediaFile, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let pools = WorkerPlace.pools
    try #require(pools.count == 2, "calotype-worker was not found", sourceLocation: sourceLocation)
    let there = Result { try everything(of: file) }
    let here = Result { try WorkerPool.$place.withValue(.inProcess) { try everything(of: file) } }
    switch (there, here) {
    case (.success(let there), .success(let here)):
      #expect(there.metadata == here.metadata, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.properties == here.properties, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.bare == here.bare, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.renditions == here.renditions, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.pictures == here.pictures, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.colored == here.colored, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.carried == here.carried, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.turned == here.turned, "\(file.name)", sourceLocation: sourceLocation)
    case (.failure(let there), .failure(let here)):
      #expect("\(there)" == "\(here)", sourceLocation: sourceLocation)
    case (.failure(let error), .success), (.success, .failure(let error)):
      Issue.record("\(file.name): \(error) in one of the two places", sourceLocation: sourceLocation)
    }
    #expect(pools.flatMap(\.latestEnds).isEmpty, "\(file.name)", sourceLocation: sourceLocation)
  }

  private struct Everything {
    var metadata: MediaMetadata
    var bare: MediaMetadata
    var properties: PictureProperties
    var carried: CarriedMetadata
    var renditions: RenditionSet?
    /// The full picture, a part, and the thumbnail inside the file.
    var pictures: [PixelBuffer?] = []
    var colored: ColoredPicture?
    var turned: Data?
  }

  /// A time zone other than the one with which workers start.
  private static let zone = TimeZone(identifier: "Pacific/Auckland") ?? .gmt

  private func everything(of file: MediaFile) throws -> Everything {
    let metadata = try MediaMetadata(of: file, machineTimeZone: Self.zone)
    let carried = try CarriedMetadata(from: file, metadata: metadata, width: 30, height: 20)
    let bare = try MediaMetadata(typeAndDateOf: file, machineTimeZone: Self.zone)
    let properties = try PictureProperties(of: file)
    guard metadata.type.kind == .image else {
      return Everything(metadata: metadata, bare: bare, properties: properties, carried: carried)
    }
    let part = PictureRequest(
      .filling(width: 31, height: 17), part: UnitRect(x: 0.1, y: 0.3, width: 0.7, height: 0.5) ?? .whole, isExact: true)
    return Everything(
      metadata: metadata, bare: bare, properties: properties, carried: carried,
      renditions: try makeRenditions(of: file, metadata: metadata, kinds: [.grid, .screen]),
      pictures: [
        try decodePicture(of: file, metadata: metadata), try makePicture(of: file, metadata: metadata, part),
        try embeddedThumbnail(of: file),
      ], colored: try decodeInOwnColors(file, metadata: metadata),
      turned: metadata.type == .jpeg ? try? rotateJPEGLosslessly(file, by: .right) : nil)
  }

  @Test(arguments: FuzzFormat.allCases) func samplesAreEqualInBothPlaces(_ format: FuzzFormat) throws {
    for (index, data) in try format.samples().enumerated() {
      try expectEqual(MediaFile(data: data, name: "\(format) \(index)"))
    }
  }

  private static let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

  @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"), .enabled(if: Soak.isOn, Soak.reason))
  func realFilesAreEqualInBothPlaces() throws {
    let corpus = try #require(Self.corpus)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: corpus).sorted()
    for path in paths where !path.hasPrefix("corrupt/") {
      guard let file = try? MediaFile(path: "\(corpus)/\(path)"), file.byteCount < 8 << 20 else { continue }
      try expectEqual(file)
    }
  }

  /// The limits of time and memory differ between the two places, so the result may. Each file must
  /// end in an error or a picture.
  @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"), .enabled(if: Soak.isOn, Soak.reason))
  func corruptFilesTakeNothingDown() throws {
    let folder = "\(try #require(Self.corpus))/corrupt"
    let before = childProcesses()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let file = try MediaFile(path: "\(folder)/\(name)")
      do throws(ImagingError) {
        let metadata = try MediaMetadata(of: file)
        _ = try? embeddedThumbnail(of: file)
        _ = try? CarriedMetadata(from: file, metadata: metadata, width: 30, height: 20)
        _ = try? rotateJPEGLosslessly(file, by: .right)
        let set = try makeRenditions(of: file, metadata: metadata, kinds: [.grid, .screen])
        print("\(name): a picture; \(set.notes.joined(separator: "; "))")
      } catch {
        print("\(name): \(error.code.rawValue): \(error.reason)")
        #expect(![.tookTooLong, .crashed].contains(error.code), "\(name): \(error.reason)")
      }
    }
    let pools = WorkerPlace.pools
    #expect(pools.contains { $0.idleProcesses != [] } && pools.allSatisfy { $0.busyCount == 0 })
    // A worker that has been idle for long may be about to exit.
    try eventually("the end of other workers") {
      childProcesses().subtracting(before).subtracting(pools.flatMap(\.idleProcesses)) == []
    }
  }
}

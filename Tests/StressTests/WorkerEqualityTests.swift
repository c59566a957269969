import Foundation
import PhotosTesting
import ProgramTesting
import Testing

@testable import Imaging

/// What a worker answers is what the same code gives in the process.
@Suite struct WorkerEqualityTests {
  private func expectEqual(_ file: MediaFile, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let pool = try #require(WorkerPool.current, "calotype-worker was not found", sourceLocation: sourceLocation)
    let there = Result { try everything(of: file) }
    let here = Result { try WorkerPool.$place.withValue(.here) { try everything(of: file) } }
    switch (there, here) {
    case (.success(let there), .success(let here)):
      #expect(there.0 == here.0, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.1 == here.1, "\(file.name)", sourceLocation: sourceLocation)
      #expect(there.2 == here.2, "\(file.name)", sourceLocation: sourceLocation)
    case (.failure(let there), .failure(let here)):
      #expect("\(there)" == "\(here)", sourceLocation: sourceLocation)
    case (.failure(let error), .success), (.success, .failure(let error)):
      Issue.record("\(file.name): \(error) in one of the two places", sourceLocation: sourceLocation)
    }
    #expect(pool.latestDeaths.isEmpty, "\(file.name)", sourceLocation: sourceLocation)
  }

  private func everything(of file: MediaFile) throws -> (MediaMetadata, RenditionSet?, PixelBuffer?) {
    let metadata = try MediaMetadata(of: file, machineTimeZone: .gmt)
    guard metadata.type.kind == .image else { return (metadata, nil, nil) }
    return (
      metadata, try makeRenditions(of: file, metadata: metadata, kinds: [.grid, .screen]),
      try decodePicture(of: file, metadata: metadata)
    )
  }

  @Test(arguments: FuzzFormat.allCases) func samplesAreEqualInBothPlaces(_ format: FuzzFormat) throws {
    for (index, data) in try format.samples().enumerated() {
      try expectEqual(MediaFile(data: data, name: "\(format) \(index)"))
    }
  }

  private static let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

  @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"))
  func realFilesAreEqualInBothPlaces() throws {
    let corpus = try #require(Self.corpus)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: corpus).sorted()
    for path in paths where !path.hasPrefix("corrupt/") {
      guard let file = try? MediaFile(path: "\(corpus)/\(path)"), file.byteCount < 8 << 20 else { continue }
      try expectEqual(file)
    }
  }

  /// Time and memory may differ from place to place; that it ends in an error or a picture does not.
  @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"))
  func corruptFilesTakeNothingDown() throws {
    let folder = "\(try #require(Self.corpus))/corrupt"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let file = try MediaFile(path: "\(folder)/\(name)")
      do throws(ImagingError) {
        let metadata = try MediaMetadata(of: file)
        let set = try makeRenditions(of: file, metadata: metadata, kinds: [.grid, .screen])
        print("\(name): a picture; \(set.notes.joined(separator: "; "))")
      } catch {
        print("\(name): \(error.code.rawValue): \(error.reason)")
        #expect(error.code != .tookTooLong)
      }
    }
  }
}

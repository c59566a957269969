import Foundation
import Photos
import PhotosTesting
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

@Suite struct InspectionDemandTests {
  /// Reading the headers of a displayed asset skips the queue of the workers. The inspection of an
  /// import may concern a hundred thousand files, so it waits.
  @Test func anInspectionWaitsForItsTurn() throws {
    let temporary = try TemporaryLibrary()
    let url = temporary.folder.appendingPathComponent("a.jpg")
    try SampleMedia.jpeg(size: PictureSize(width: 96, height: 64)).write(to: url)
    var configuration = WorkerPool.Configuration(executable: try #require(WorkerPlace.executable))
    configuration.arguments = ["--misbehave"]
    configuration.width = 1
    let pool = WorkerPool(configuration)
    defer { pool.end() }
    let strange = try MediaFile(data: Data("a stranger's file".utf8), name: "strange.jpg")
    let background = DispatchGroup()
    DispatchQueue.global().async(group: background) {
      WorkDemand.following({ .background }) {
        _ = try? Misbehave.sleep(seconds: 3).answer(on: strange, in: pool)
      }
    }
    let end = ContinuousClock.now + .seconds(20)
    while pool.busyCount == 0, ContinuousClock.now < end { usleep(2000) }
    let inspection = try WorkerPool.$place.withValue(.workers(pool)) { try FileInspection(url: url) }
    #expect(inspection?.uniformTypeIdentifier == "public.jpeg")
    #expect(background.wait(timeout: .now() + 0.5) == .success)
  }
}

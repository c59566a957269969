import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import Imaging
@testable import Sandbox

@Suite struct InspectionDemandTests {
  /// Reading the headers of a displayed asset skips the queue of the workers. The inspection of an
  /// import may concern a hundred thousand files, so it waits.
  @Test func anInspectionWaitsForItsTurn() throws {
    let temporary = try TemporaryLibrary()
    let url = temporary.folder.appendingPathComponent("a.jpg")
    try SampleMedia.jpeg(size: PictureSize(width: 96, height: 64)).write(to: url)
    var configuration = WorkerPool.Configuration(executable: try #require(WorkerPlace.executable))
    configuration.width = 1
    let pool = WorkerPool(configuration)
    defer { pool.end() }
    // The only worker is stopped, so that the first inspection lasts until the second one waits.
    #expect(pool.probe() == nil)
    let worker = try #require(pool.idleProcesses.first)
    kill(worker, SIGSTOP)
    defer { kill(worker, SIGCONT) }
    let types = Collected<String?>()
    func inspect() {
      Thread.detachNewThread {
        let inspection = WorkerPool.$place.withValue(.workers(pool)) { try? FileInspection(url: url) }
        types.add(inspection?.uniformTypeIdentifier)
      }
    }
    inspect()
    try eventually("the first inspection") { pool.busyCount == 1 }
    inspect()
    // A call of another precedence would get a worker of its own.
    try eventually("the second inspection's place in the line") { pool.waitingCount(.background) == 1 }
    kill(worker, SIGCONT)
    try eventually("both inspections") { types.all.count == 2 }
    #expect(types.all == ["public.jpeg", "public.jpeg"])
    #expect(pool.idleProcesses == [worker])
  }
}

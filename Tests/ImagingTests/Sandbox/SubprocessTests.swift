import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding
@testable import Sandbox

@Suite struct SubprocessTests {
  @Test func aProgramThatClosesItsStreamsAndStaysIsEnded() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file(Data("x".utf8))
    let process = Subprocess(
      program: "sh", arguments: ["-c", "exec 1>&- 2>&-; sleep 60"], input: file, idleSeconds: 60, seconds: 60,
      outputByteLimit: 10)
    let start = ContinuousClock.now
    let result = try WorkerPool.$place.withValue(.inProcess) { try process.run() }
    #expect(!result.succeeded)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test(arguments: [true, false]) func `a silent program is killed unless it waits for its reader`(
    _ isWaitingForInput: Bool
  ) throws {
    var process = Subprocess(
      program: "sleep", arguments: ["1"], input: try TemporaryFolder().file(Data("x".utf8)), idleSeconds: 0.3,
      seconds: 60, outputByteLimit: 10)
    process.isWaitingForInput = { isWaitingForInput }
    #expect((try? process.run().succeeded) == (isWaitingForInput ? true : nil))
  }
}

import Foundation
import Synchronization
import TestSupport
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
    var process = Subprocess(
      program: "sh", arguments: ["-c", "exec 1>&- 2>&-; sleep 600"], input: file, idleSeconds: 300, seconds: 300,
      outputByteLimit: 10)
    process.exitTime = .milliseconds(100)
    let call = ThreadedCall { [process] in
      try WorkerPool.$place.withValue(.inProcess) { try process.run().succeeded }
    }
    #expect(try !call.value("the end of a program without streams"))
  }

  private func silentProgram(reading input: Pipe) throws -> Subprocess {
    var process = Subprocess(
      program: "cat", arguments: [], input: try TemporaryFolder().file(Data("x".utf8)), idleSeconds: 0.1,
      seconds: 300, outputByteLimit: 10)
    process.standardInput = input.fileHandleForReading.fileDescriptor
    return process
  }

  @Test func `a silent program is killed`() throws {
    let input = Pipe()
    let process = try silentProgram(reading: input)
    let error = #expect(throws: ImagingError.self) { try process.run() }
    #expect(error?.reason == "cat took more than 0.1 s")
    withExtendedLifetime(input) {}
  }

  /// The program's silence is looked at five times a second.
  @Test func `a silent program is not killed while it waits for its input`() throws {
    let input = Pipe()
    var process = try silentProgram(reading: input)
    let lookCount = Mutex(0)
    process.isWaitingForInput = {
      lookCount.withLock { $0 += 1 }
      if lookCount.withLock({ $0 }) == 4 { try? input.fileHandleForWriting.close() }
      return true
    }
    #expect(try process.run().succeeded)
    #expect(lookCount.withLock { $0 } >= 4)
  }
}

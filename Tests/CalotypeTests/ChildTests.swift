import Foundation
import ProgramTesting
import Synchronization
import TestSupport
import Testing

/// Tests the helper that runs programs for other tests.
@Suite struct ChildTests {
  private func shell(_ script: String, keepsInput: Bool = false) throws -> Child {
    try Child("/bin/sh", ["-c", script], keepsInput: keepsInput)
  }

  @Test func `a program is given its input, arguments, variables and folder`() throws {
    let folder = try TemporaryFolder()
    let outcome = try Child.run(
      "sh", ["-c", #"cat; echo "$1 $WORD"; pwd -P; echo bad >&2; exit 3"#, "sh", "two words"],
      environment: ["WORD": "variable"], folder: folder.url.path, input: "line\n")
    #expect(outcome.status == 3)
    let path = folder.url.resolvingSymlinksInPath().path
    #expect(outcome.output == "line\ntwo words variable\n\(path)\n")
    #expect(outcome.errors == "bad\n")
  }

  @Test func `both outputs may be longer than a pipe`() throws {
    let outcome = try shell(
      "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"
    ).finish()
    #expect(outcome.bytes.count == 300_000)
    #expect(outcome.errors.utf8.count == 600_000)
  }

  @Test func `the end by a signal is told`() throws {
    let child = try shell("kill -TERM $$; sleep 3600")
    #expect(try child.finish().status == -SIGTERM)
    #expect(!child.isRunning)
  }

  @Test func `a program takes signals though its starter blocks them`() throws {
    let child = try answered {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      return Result { try shell("echo ready; exec sleep 3600") }
    }.get()
    try child.output("readiness") { $0 == "ready\n" }
    child.send(SIGINT)
    #expect(try child.finish().status == -SIGINT)
  }

  /// Returns the result of work on a thread of its own, whose signal mask may be changed.
  private func answered<Made: Sendable>(_ work: @escaping @Sendable () -> Made) throws -> Made {
    let made = Mutex<Made?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let result = work()
      made.withLock { $0 = result }
      isDone.signal()
    }
    isDone.waits(for: "the work")
    let result = made.withLock(\.self)
    return try #require(result)
  }

  @Test func `the input stays open until it is closed`() throws {
    let child = try shell("exec cat", keepsInput: true)
    try eventually("a sleeping cat") {
      try String(contentsOfFile: "/proc/\(child.id)/stat", encoding: .utf8).contains("(cat) S ")
    }
    child.closeInput()
    #expect(try child.finish().status == 0)
  }

  @Test func `an output that does not come is an error with all that came`() throws {
    let child = try shell("echo one; echo complaint >&2")
    let error = #expect(throws: Child.Failure.self) { try child.output("second line") { $0.contains("two") } }
    let text = try #require(error?.description)
    #expect(text.contains("ended without second line") && text.contains("one") && text.contains("complaint"), "\(text)")
  }

  @Test func `a silent program is an error at the limit`() throws {
    let child = try shell("exec sleep 3600")
    let error = #expect(throws: Child.Failure.self) { try child.output("word", within: .zero) { !$0.isEmpty } }
    #expect(error?.description.contains("gave no word") == true)
    #expect(try child.finishByKilling().status == -SIGKILL)
  }

  @Test func `a program that does not end is aborted, and may say why`() throws {
    let child = try shell("trap 'echo stack >&2; exit 1' ABRT; echo ready; while :; do sleep 0.01; done")
    try child.output("readiness") { $0 == "ready\n" }
    let error = #expect(throws: Child.Failure.self) { try child.finish(within: .zero) }
    let text = try #require(error?.description)
    #expect(text.contains("did not end") && text.contains("stack"), "\(text)")
    #expect(!child.isRunning)
  }

  @Test func `a program whose own child keeps the output open has not finished`() throws {
    let child = try shell("sleep 3600 & echo $!")
    let output = try child.output("number of its child") { $0.hasSuffix("\n") }
    try eventually("the end") { !child.isRunning }
    let error = #expect(throws: Child.Failure.self) { try child.finish(within: .zero) }
    #expect(error?.description.contains("kept its output open") == true)
    kill(try #require(pid_t(output.dropLast())), SIGKILL)
    #expect(try child.finish().status == 0)
  }

  @Test func `a program is killed with its last reference`() throws {
    var child: Child? = try shell("exec sleep 3600")
    let id = try #require(child?.id)
    #expect(kill(id, 0) == 0)
    child = nil
    try eventually("the end of the program") { kill(id, 0) != 0 }
  }

  @Test func `no pipe of a program stays open in another one`() throws {
    let first = try shell("cat", keepsInput: true)
    let second = try shell("exec sleep 3600")
    first.closeInput()
    #expect(try first.finish().status == 0)
    #expect(second.isRunning)
  }

  @Test func `no descriptor stays open`() throws {
    func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    let before = try descriptors()
    for _ in 0..<20 { _ = try shell("exit 0").finish() }
    for _ in 0..<20 { #expect(throws: Child.Failure.self) { try Child("/missing/program") } }
    // Another test's program may end meanwhile.
    try eventually("closed descriptors") { try descriptors() <= before }
  }

  @Test func `a file takes the output`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data(), "out")
    let file = try #require(FileHandle(forWritingAtPath: folder["out"]))
    let outcome = try Child("/bin/sh", ["-c", "echo text"], output: file).finish()
    #expect(outcome.output == "")
    #expect(try String(contentsOfFile: folder["out"], encoding: .utf8) == "text\n")
  }

  @Test func `a program that must succeed and fails is an error`() throws {
    let error = #expect(throws: Child.Failure.self) { try Child.check("sh", "-c", "echo why >&2; exit 4") }
    #expect(error?.description.contains("ended with 4: why") == true)
  }
}

/// Tests the helpers that wait for other tests.
@Suite struct PatienceTests {
  @Test func `the first answer counts`() async throws {
    let number: Int = try await answer("a number") { done in
      done(1)
      done(2)
    }
    #expect(number == 1)
  }

  @Test func `an answer that does not come is an error with its name`() async throws {
    let error = await #expect(throws: WaitedInVain.self) {
      let _: Int = try await answer("a number", within: .zero) { _ in }
    }
    #expect(error?.description.contains("a number") == true)
  }

  @Test func `an answer after the limit is ignored`() async throws {
    let late = Mutex<(@Sendable (sending Int) -> Void)?>(nil)
    await #expect(throws: WaitedInVain.self) {
      let _: Int = try await answer("a number", within: .zero) { done in late.withLock { $0 = done } }
    }
    late.withLock(\.self)?(1)
  }

  @Test func `an error at the beginning ends the wait`() async throws {
    await #expect(throws: CancellationError.self) {
      let _: Int = try await answer("a number") { _ in throw CancellationError() }
    }
  }

  @Test func `a condition is looked at until it is true`() throws {
    var looks = 0
    try eventually("three looks") {
      looks += 1
      return looks == 3
    }
    #expect(looks == 3)
    let error = #expect(throws: WaitedInVain.self) { try eventually("a wonder", within: .zero) { false } }
    #expect(error?.description.contains("a wonder") == true)
  }

  @Test func `a condition of an actor is looked at until it is true`() async throws {
    var looks = 0
    try await eventually("three looks") {
      await Task.yield()
      looks += 1
      return looks == 3
    }
    #expect(looks == 3)
    await #expect(throws: WaitedInVain.self) {
      try await eventually("a wonder", within: .zero) {
        await Task.yield()
        return false
      }
    }
  }

  @Test func `a semaphore without a signal is an issue`() {
    withKnownIssue { DispatchSemaphore(value: 0).waits(for: "a signal", within: .zero) }
    let signaled = DispatchSemaphore(value: 0)
    signaled.signal()
    signaled.waits(for: "a signal", within: .zero)
  }
}

import Foundation
import Photos
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

/// Tests the time that predicates of requests have for their patterns.
@Suite struct CostlyPredicateTests {
  private let server: TestServer

  init() throws {
    server = try TestServer()
    try server.add(bitmap(), named: String(repeating: "a", count: 60) + ".BMP")
  }

  /// A pattern that takes hours for the name of the photo.
  private static let costly = "originalFilename MATCHES '(a+)+b'"

  private func query(_ predicate: String) throws -> String {
    try #require(predicate.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
  }

  private func expectRefusal(_ answer: TestServer.Answer, of predicate: String, at place: String = "where") {
    #expect(answer.status == 422)
    #expect(answer.problem?.type == "urn:calotype:problem:predicate-too-costly")
    let detail =
      "\(place): the patterns of “\(predicate)” take too long; write simpler ones, or CONTAINS, BEGINSWITH or ENDSWITH"
    #expect(answer.problem?.detail == detail)
  }

  @Test(arguments: [
    ("originalFilename like 'a'", true), ("title MATCHES[c] 'a'", true), ("title == 'a'", false),
    ("title MATCHE\u{17F} 'a'", true), ("title LI\u{212A}E 'a'", true),
    (String(repeating: "title CONTAINS 'a' OR ", count: 100) + "isFavorite == YES", true),
  ])
  func `predicates with patterns, long ones and those of clients wait in line`(predicate: String, waits: Bool) {
    #expect(PatternQueue.isFor(predicate, of: nil) == waits)
    #expect(PatternQueue.isFor(predicate, of: LibraryClient(identifier: "com.example.Slideshow")))
  }

  @Test(arguments: [costly, "originalFilename LIKE '*a*a*a*a*a*a*a*a*a*a*a*a*b'"])
  func `a pattern that takes too long is refused, with its predicate`(predicate: String) async throws {
    let answer = try await server.ask("/api/v1/assets?where=\(query(predicate))")
    expectRefusal(answer, of: predicate)
  }

  @Test(arguments: ["assets", "days", "aspects"])
  func `the lists of a collection refuse it too`(list: String) async throws {
    let answer = try await server.ask("/api/v1/collections/userLibrary/\(list)?where=\(query(Self.costly))")
    expectRefusal(answer, of: Self.costly)
  }

  @Test func `a change of a range refuses it too`() async throws {
    let answer = try await change(where: Self.costly)
    expectRefusal(answer, of: Self.costly, at: "changes[0].assets.range.where")
  }

  private func change(where predicate: String) async throws -> TestServer.Answer {
    let revision = server.library.currentChangeToken.stringValue
    let range =
      #"{"collection":"userLibrary","where":"\#(predicate)","revision":"\#(revision)","first":0,"end":1}"#
    return try await server.post(
      "/api/v1/changes", json: #"{"changes":[{"type":"setAssets","assets":{"range":\#(range)},"isFavorite":true}]}"#,
      isSignedIn: true)
  }

  @Test func `a change of a range waits for other patterns, and other requests don't`() async throws {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let isBlocked = Atomic(false)
    let blocking = Task {
      try await PatternQueue.shared.run(["originalFilename LIKE 'a*'"], for: nil) {
        isBlocked.store(true, ordering: .relaxed)
        gate.waits(for: "the end of other requests")
      }
    }
    try await wait(for: "the first work of the queue") { isBlocked.load(ordering: .relaxed) }
    let isDone = Mutex(false)
    let changing = Task { [self] in
      let answer = try await change(where: "originalFilename LIKE 'a*'")
      isDone.withLock { $0 = true }
      return answer
    }
    for _ in 0..<20 { #expect(try await server.ask("/api/v1/collections/favorites/days").status == 200) }
    let hasEnded = isDone.withLock { $0 }
    #expect(!hasEnded)
    gate.signal()
    try await blocking.value
    #expect(try await changing.value.status == 200)
  }

  /// The results of readings in a queue.
  private final class Readings: Sendable {
    let order = Mutex<[String]>([])
    let refusals = Mutex(0)
  }

  @Test func `the owner and a client take turns, and a client's seventeenth waiting reading is refused`() async throws {
    let queue = PatternQueue()
    let gate = DispatchSemaphore(value: 0)
    let isBlocked = Atomic(false)
    defer { gate.signal() }
    let client = LibraryClient(identifier: "https://slideshow.example")
    let readings = Readings()
    @Sendable func read(_ name: String, for client: LibraryClient?) async throws {
      try await queue.run(["a LIKE 'b'"], for: client) { readings.order.withLock { $0.append(name) } }
    }
    let blocking = Task {
      try await queue.run(["a LIKE 'b'"], for: client) {
        isBlocked.store(true, ordering: .relaxed)
        gate.waits(for: "the readings that wait")
      }
    }
    try await wait(for: "the first work of the queue") { isBlocked.load(ordering: .relaxed) }
    try await withThrowingTaskGroup { group in
      for _ in 0..<(PatternQueue.longest + 3) {
        group.addTask {
          do { try await read("client", for: client) } catch let failure as Failure {
            #expect(failure.status == .tooManyRequests)
            #expect(failure.fields[.retryAfter] == "2")
            readings.refusals.withLock { $0 += 1 }
          }
        }
      }
      try await wait(for: "the refusals") { readings.refusals.withLock(\.self) == 3 }
      group.addTask { try await read("owner", for: nil) }
      try await wait(for: "the owner's reading") { queue.waitingCount == PatternQueue.longest + 1 }
      gate.signal()
      try await group.waitForAll()
    }
    try await blocking.value
    let found = readings.order.withLock(\.self)
    #expect(found.prefix(2) == ["client", "owner"])
    #expect(found.count == PatternQueue.longest + 1)
  }

  @Test func `a range is refused when the batch has no time left for patterns`() throws {
    let range: JSONValue = .object([
      "collection": .string("userLibrary"), "where": .string("originalFilename LIKE 'a*'"), "first": .number(0),
      "end": .number(1), "revision": .string(server.library.currentChangeToken.stringValue),
    ])
    let selection = try AssetSelection(JSONPlace(value: .object(["range": range]), path: "assets"))
    #expect(try selection.assets(in: server.library).count == 1)
    let failure = #expect(throws: Failure.self) {
      try selection.assets(in: server.library, patternSeconds: 0)
    }
    #expect(failure?.problem == .predicateTooCostly)
  }

  @Test(arguments: ["originalFilename MATCHES 'a+\\\\.BMP'", "originalFilename LIKE 'a*.BM?'"])
  func `other patterns are answered`(predicate: String) async throws {
    let answer = try await server.ask("/api/v1/assets?where=\(query(predicate))")
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""total":1"#))
  }
}

import Foundation
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import Photos

@Suite struct AuthorizationTests {
  let fixture: AccessFixture
  init() throws { fixture = try AccessFixture() }

  private func library(answering answer: AuthorizationAnswer) -> PHPhotoLibrary {
    let library = fixture.library()
    library.authorizationAnswerer = AuthorizationScript { _ in answer }
    return library
  }

  @Test func beforeAnybodyIsAskedNothingIsDetermined() {
    let library = fixture.library()
    #expect(library.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(library.authorizationStatus(for: .addOnly) == .notDetermined)
  }

  @Test func theOwnerMayDoEverything() {
    #expect(fixture.owner.authorizationStatus(for: .readWrite) == .authorized)
    #expect(fixture.owner.authorizationStatus(for: .addOnly) == .authorized)
  }

  @Test(
    "An answer decides about the level that was asked for; who may read may add",
    arguments: [
      (AuthorizationAnswer.authorized, PHAccessLevel.readWrite, "authorized authorized"),
      (.limited(), .readWrite, "limited authorized"),
      (.denied, .readWrite, "denied notDetermined"),
      (.restricted, .readWrite, "restricted notDetermined"),
      (.authorized, .addOnly, "notDetermined authorized"),
      (.limited(), .addOnly, "notDetermined authorized"),
      (.denied, .addOnly, "notDetermined denied"),
      (.restricted, .addOnly, "notDetermined restricted"),
      (.unanswered(reason: "nobody"), .readWrite, "notDetermined notDetermined"),
      (.confirmed, .readWrite, "notDetermined notDetermined"),
    ])
  func answers(answer: AuthorizationAnswer, level: PHAccessLevel, expected: String) async {
    let library = library(answering: answer)
    let status = await library.requestAuthorization(for: level)
    #expect(status == library.authorizationStatus(for: level))
    #expect(
      "\(library.authorizationStatus(for: .readWrite)) \(library.authorizationStatus(for: .addOnly))" == expected)
  }

  @Test func anAnswerStaysInTheLibrary() async throws {
    _ = await library(answering: .denied).requestAuthorization(for: .readWrite)
    let again = try PHPhotoLibrary(url: fixture.temporary.url, client: fixture.client)
    #expect(again.authorizationStatus(for: .readWrite) == .denied)
  }

  private func library(inEnvironment value: String) -> PHPhotoLibrary {
    let library = fixture.library()
    library.authorizationAnswerer = StandardAnswerer(environment: value, terminal: nil, log: { _ in })
    return library
  }

  @Test func anAnswerOfTheEnvironmentHoldsAndIsNotKeptAsTheOwners() async throws {
    let library = library(inEnvironment: "authorized")
    #expect(await library.requestAuthorization(for: .readWrite) == .authorized)
    let photos = PHAsset.fetchAssets(with: library.options())
    #expect(photos.count == 3)
    let photo = photos.object(at: 0)
    #expect(library.codeOfChange { PHAssetChangeRequest(for: photo).isFavorite = true } == nil)
    #expect(try fixture.owner.clients() == [])
  }

  @Test func aSelectionOfTheEnvironmentHoldsAndIsNotKeptAsTheOwners() async throws {
    let library = library(inEnvironment: "limited:\(fixture.photos[1].localIdentifier)")
    #expect(await library.requestAuthorization(for: .readWrite) == .limited)
    #expect(library.names() == "B")
    #expect(try fixture.owner.clients() == [])
    #expect(try fixture.owner.selectedAssets(for: fixture.client).count == 0)
  }

  @Test func theOwnersDecisionStandsAboveTheEnvironments() async throws {
    let library = library(inEnvironment: "authorized")
    #expect(await library.requestAuthorization(for: .readWrite) == .authorized)
    try fixture.owner.setAuthorization(limitedTo: [fixture.photos[2]], for: fixture.client)
    #expect(library.authorizationStatus(for: .readWrite) == .limited)
    #expect(library.names() == "C")
    try fixture.owner.setAuthorization(.denied, for: fixture.client, accessLevel: .readWrite)
    #expect(library.names() == "")
  }

  @Test("For older code, limited access is `authorized`", arguments: PHAuthorizationStatus.all)
  func beforeLimited(status: PHAuthorizationStatus) {
    #expect(status.beforeLimited == (status == .limited ? .authorized : status))
  }

  @Test func aDeterminedStatusIsNotAskedForAgain() async throws {
    let questions = Questions { _ in .authorized }
    let library = try fixture.library(.denied)
    library.authorizationAnswerer = questions
    #expect(await library.requestAuthorization(for: .readWrite) == .denied)
    #expect(questions.all == [])
  }

  @Test func theQuestionSaysWhoWantsWhatAndWhy() async {
    let questions = Questions { _ in .authorized }
    let library = fixture.library()
    library.authorizationAnswerer = questions
    _ = await library.requestAuthorization(for: .readWrite)
    #expect(
      questions.all == [
        AuthorizationRequest(
          client: fixture.client, libraryURL: library.url,
          question: .access(.readWrite, usageDescription: "Shows your photos."))
      ])
  }

  /// An answerer that keeps each request open until the test takes its completion handler.
  private final class Slow: AuthorizationAnswerer {
    let open = Mutex<[@Sendable (AuthorizationAnswer) -> Void]>([])

    func answer(
      _ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void
    ) { open.withLock { $0.append(completionHandler) } }

    func takeAll() -> [@Sendable (AuthorizationAnswer) -> Void] {
      open.withLock { open in
        defer { open = [] }
        return open
      }
    }
  }

  @Test func requestsAtTheSameTimeShareOneQuestion() async throws {
    let slow = Slow()
    let told = Mutex<[PHAuthorizationStatus]>([])
    let done = DispatchGroup()
    for _ in 0..<8 {
      // Each request comes from a library object of its own, as in a server.
      let library = fixture.library()
      library.authorizationAnswerer = slow
      done.enter()
      library.requestAuthorization(for: .readWrite) { status in
        told.withLock { $0.append(status) }
        done.leave()
      }
    }
    let questions = slow.takeAll()
    #expect(questions.count == 1)
    for answer in questions { answer(.authorized) }
    try await TestSupport.answer("all statuses") { told in done.notify(queue: .global()) { told(()) } }
    #expect(told.withLock { $0 } == Array(repeating: .authorized, count: 8))
  }

  @Test func theFirstAnswerCounts() async throws {
    let slow = Slow()
    let library = fixture.library()
    library.authorizationAnswerer = slow
    let status: PHAuthorizationStatus = try await TestSupport.answer("the status") { done in
      library.requestAuthorization(for: .readWrite) { done($0) }
      let question = try #require(slow.takeAll().first)
      question(.denied)
      question(.authorized)
    }
    #expect(status == .denied)
  }

  @Test func `the owner's decision overrides a pending request's answer`() async throws {
    let library = fixture.library()
    library.authorizationAnswerer = AuthorizationScript { [fixture] _ in
      try? fixture.owner.setAuthorization(.denied, for: fixture.client, accessLevel: .readWrite)
      return .authorized
    }
    #expect(await library.requestAuthorization(for: .readWrite) == .denied)
  }

  @Test func `the owner may decide elsewhere while a person is asked at the terminal`() async throws {
    let library = fixture.library()
    let log = Mutex("")
    let terminal = TerminalAnswerer(
      write: { _ in }, readLine: { "yes" },
      hasLine: { [fixture] in
        do {
          #expect(try fixture.owner.recordedClients().map(\.waitingLevel) == [.readWrite])
          try fixture.owner.setAuthorization(limitedTo: [fixture.photos[1]], for: fixture.client)
          return false
        } catch {
          Issue.record(error)
          return true
        }
      })
    library.authorizationAnswerer = StandardAnswerer(
      environment: nil, terminal: terminal, log: { line in log.withLock { $0 += line } })
    let status = try await TestSupport.answer("the status") { done in
      library.requestAuthorization(for: .readWrite) { done($0) }
    }
    #expect(status == .limited)
    #expect(library.names() == "B")
    #expect(library.authorizationProblem == nil)
    #expect(log.withLock { $0 } == "")
  }

  @Test func anAnswerCanChooseTheAssets() async {
    let library = library(answering: .limited(localIdentifiers: [fixture.photos[1].localIdentifier, "unknown"]))
    #expect(await library.requestAuthorization(for: .readWrite) == .limited)
    #expect(library.names() == "B")
  }

  // MARK: No answer

  @Test func aRequestWithoutAnAnswerHasAReason() async {
    let library = fixture.library()
    #expect(library.authorizationProblem == nil)
    #expect(await library.requestAuthorization(for: .readWrite) == .notDetermined)
    #expect(library.authorizationProblem == "nobody is there")
    library.authorizationAnswerer = AuthorizationScript { _ in .authorized }
    #expect(await library.requestAuthorization(for: .readWrite) == .authorized)
    #expect(library.authorizationProblem == nil)
  }

  @Test func `an unanswered client is listed as not determined`() async throws {
    _ = await fixture.library().requestAuthorization(for: .readWrite)
    #expect(
      try fixture.owner.clients() == [
        ClientAuthorization(
          client: LibraryClient(identifier: "com.example.Slideshow", name: "Slideshow"), readWrite: .notDetermined,
          addOnly: .notDetermined, selectedAssetCount: 0)
      ])
  }

  @Test func anAnswererThatLetsTheRequestGoHasNotAnswered() async {
    struct Forgetful: AuthorizationAnswerer {
      func answer(
        _ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void
      ) {}
    }
    let library = fixture.library()
    library.authorizationAnswerer = Forgetful()
    #expect(await library.requestAuthorization(for: .readWrite) == .notDetermined)
    #expect(library.authorizationProblem == "the request was released without an answer")
  }

  // MARK: Usage descriptions

  @Test func aPersonHasToBeToldWhy() throws {
    let library = fixture.library(for: LibraryClient(identifier: "https://example.com"))
    #expect(
      library.missingUsageDescription(for: .readWrite)
        == """
        “https://example.com” has to say why it wants access to photos: give its LibraryClient a usageDescription; \
        CALOTYPE_AUTHORIZATION=authorized|limited|denied|restricted|addOnly answers without asking a person
        """)
    #expect(fixture.library().missingUsageDescription(for: .readWrite) == nil)
    // The reason for reading is not a reason for adding.
    #expect(fixture.library().missingUsageDescription(for: .addOnly) != nil)
  }

  @Test func aProgramIsToldWhereToSayIt() throws {
    let library = fixture.library(for: .current)
    #expect(
      library.missingUsageDescription(for: .addOnly) == """
        “\(LibraryClient.current.name)” has to say why it wants access to photos: put NSPhotoLibraryAddUsageDescription into \
        \(LibraryClient.infoPlistURL.path), or assign LibraryClient.current.addUsageDescription; \
        CALOTYPE_AUTHORIZATION=authorized|limited|denied|restricted|addOnly answers without asking a person
        """)
  }

  @Test func aScriptNeedsNoReason() {
    let library = fixture.library(for: LibraryClient(identifier: "https://example.com"))
    library.authorizationAnswerer = AuthorizationScript { _ in .authorized }
    #expect(library.missingUsageDescription(for: .readWrite) == nil)
  }

  @Test func `all clients of a library share its answerer`() async {
    let library = library(answering: .authorized).photoLibrary(for: LibraryClient(identifier: "https://example.com"))
    #expect(await library.requestAuthorization(for: .addOnly) == .authorized)
  }
}

extension PHAuthorizationStatus {
  static let all: [PHAuthorizationStatus] = [.notDetermined, .restricted, .denied, .authorized, .limited]
}

import Foundation
import PhotosTesting
import Synchronization
import Testing

@testable import Photos

private let slideshow = LibraryClient(identifier: "com.example.Slideshow", name: "Slideshow")
private let url = URL(fileURLWithPath: "/photos/Photos Library.calotype")

private func request(_ question: AuthorizationRequest.Question) -> AuthorizationRequest {
  AuthorizationRequest(client: slideshow, libraryURL: url, question: question)
}

private let access = AuthorizationRequest.Question.access(.readWrite, usageDescription: "Shows your photos.")
private let adding = AuthorizationRequest.Question.access(.addOnly, usageDescription: nil)
private let deletion = AuthorizationRequest.Question.deletion([
  .init(.assets, localIdentifiers: ["A", "B"]), .init(.albums, localIdentifiers: ["C"]),
])

@Suite struct EnvironmentAnswerTests {
  @Test(
    "The environment answers, and confirms the deletions of who may change the library",
    arguments: [
      ("authorized", AuthorizationAnswer.authorized, AuthorizationAnswer.authorized, true),
      ("limited", .limited(), .limited(), true),
      ("limited:A,B", .limited(localIdentifiers: ["A", "B"]), .limited(localIdentifiers: ["A", "B"]), true),
      ("denied", .denied, .denied, false), ("restricted", .restricted, .restricted, false),
      ("addOnly", .denied, .authorized, false),
    ])
  func answers(value: String, reading: AuthorizationAnswer, addition: AuthorizationAnswer, confirms: Bool) {
    #expect(EnvironmentAnswer.answer(access, value) == reading)
    #expect(EnvironmentAnswer.answer(adding, value) == addition)
    #expect(EnvironmentAnswer.answer(deletion, value) == (confirms ? .confirmed : .refused))
  }

  @Test func `an unknown CALOTYPE_AUTHORIZATION is named in the reason`() {
    #expect(
      EnvironmentAnswer.answer(access, "yes")
        == .unanswered(
          reason: "CALOTYPE_AUTHORIZATION is “yes”, and has to be one of authorized|limited|denied|restricted|addOnly"))
  }

  @Test func noPersonIsAskedWhereTheEnvironmentAnswers() {
    #expect(!StandardAnswerer(environment: "denied", terminal: nil, log: { _ in }).asksPerson)
    #expect(!StandardAnswerer(environment: nil, terminal: nil, log: { _ in }).asksPerson)
    let terminal = TerminalAnswerer(write: { _ in }, readLine: { nil })
    #expect(StandardAnswerer(environment: nil, terminal: terminal, log: { _ in }).asksPerson)
  }
}

@Suite struct NobodyAnswersTests {
  private func complaint(_ question: AuthorizationRequest.Question) -> String {
    let said = Mutex("")
    let answered = Mutex<AuthorizationAnswer?>(nil)
    StandardAnswerer(environment: nil, terminal: nil) { line in said.withLock { $0 += line } }
      .answer(request(question)) { answer in answered.withLock { $0 = answer } }
    let line = said.withLock { $0 }
    #expect(answered.withLock { $0 } == .unanswered(reason: line))
    return line
  }

  @Test func aRequestForAccessSaysWhyAndWhatToDo() {
    #expect(
      complaint(access) == """
        “Slideshow” would like to see the photos of Photos Library.calotype and to change them. There is no answer: \
        there is no terminal to ask at; the library's owner can allow it in the web app or by \
        `calotype --library '/photos/Photos Library.calotype' access grant com.example.Slideshow`, \
        or CALOTYPE_AUTHORIZATION=authorized|limited|denied|restricted|addOnly answers
        """)
  }

  @Test func aRequestWithoutAReasonNamesTheDescription() {
    #expect(
      complaint(.access(.addOnly, usageDescription: nil))
        .hasSuffix(" answers; a person is only asked if NSPhotoLibraryAddUsageDescription says why"))
  }

  @Test func aRequestToAddNamesTheFlag() {
    #expect(complaint(adding).contains("access grant --add-only com.example.Slideshow`"))
  }

  @Test func aDeletionSaysWhatConfirmsIt() {
    #expect(
      complaint(deletion) == """
        “Slideshow” would like to delete 2 photos and videos, 1 album of Photos Library.calotype. There is no answer: \
        there is no terminal to ask at; CALOTYPE_AUTHORIZATION=authorized confirms deletions
        """)
  }
}

@Suite struct TerminalAnswererTests {
  @Test(
    "A word or its beginning is an answer",
    arguments: [
      (access, "yes", AuthorizationAnswer.authorized), (access, " Y ", .authorized), (access, "limited", .limited()),
      (access, "l", .limited()), (access, "no", .denied), (adding, "y", .authorized), (adding, "n", .denied),
      (deletion, "yes", .confirmed), (deletion, "n", .refused),
    ])
  func answers(question: AuthorizationRequest.Question, typed: String, answer: AuthorizationAnswer) {
    #expect(TerminalAnswerer.answer(typed, to: question) == answer)
  }

  @Test(
    "An empty text, or one that no offered word begins with, is not an answer",
    arguments: [(access, ""), (access, "yess"), (access, "ok"), (adding, "l"), (deletion, "")])
  func nothing(question: AuthorizationRequest.Question, typed: String) {
    #expect(TerminalAnswerer.answer(typed, to: question) == nil)
  }

  /// Asks on a terminal on which these lines are typed. Returns the text that was shown, and the
  /// answer.
  private func ask(_ request: AuthorizationRequest, typing lines: String...) -> (shown: String, AuthorizationAnswer?) {
    let shown = Mutex("")
    let typed = Mutex(lines)
    let terminal = TerminalAnswerer(
      write: { text in shown.withLock { $0 += text } },
      readLine: { typed.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    let answer = terminal.ask(request, isDecided: { false })
    return (shown.withLock { $0 }, answer)
  }

  @Test func itAsksAgainUntilItUnderstands() {
    let (shown, answer) = ask(request(access), typing: "what?", "no")
    #expect(answer == .denied)
    #expect(
      shown == """
        “Slideshow” would like to see the photos of Photos Library.calotype and to change them.
          “Shows your photos.”
        Allow it? (yes: all photos, limited: only those that `calotype access limit` names, no) \
        Allow it? (yes: all photos, limited: only those that `calotype access limit` names, no) 
        """)
  }

  @Test func theEndOfTheInputIsNoAnswer() {
    #expect(ask(request(deletion)).1 == .unanswered(reason: "standard input ended"))
  }

  @Test func aDecisionElsewhereEndsTheQuestion() {
    let shown = Mutex("")
    let terminal = TerminalAnswerer(
      write: { text in shown.withLock { $0 += text } },
      readLine: {
        Issue.record("nothing is typed")
        return nil
      },
      hasLine: { false }, discardInput: { shown.withLock { $0 += "(discarded)" } })
    let looks = Mutex(0)
    let answer = terminal.ask(request(deletion)) {
      looks.withLock { looks in
        looks += 1
        return looks == 3
      }
    }
    #expect(answer == nil)
    #expect(
      shown.withLock { $0 } == """
        “Slideshow” would like to delete 2 photos and videos, 1 album of Photos Library.calotype.
        Delete? (yes, no) (discarded)
        The owner has decided elsewhere.

        """)
  }

  @Test func aQuestionThatWasDecidedMeanwhileIsNotAsked() {
    let terminal = TerminalAnswerer(
      write: { Issue.record("\($0) is shown") },
      readLine: {
        Issue.record("a line is read")
        return "yes"
      })
    #expect(terminal.ask(request(deletion), isDecided: { true }) == nil)
  }

  @Test func aClientCannotMoveTheCursor() {
    let rogue = LibraryClient(identifier: "x", name: "Nice\u{1B}[2J\nAllow it? yes\u{202E}")
    let question = AuthorizationRequest.Question.access(.addOnly, usageDescription: "a\rb")
    let shown = ask(AuthorizationRequest(client: rogue, libraryURL: url, question: question), typing: "n").shown
    #expect(
      shown == """
        “Nice?[2J?Allow it? yes?” would like to add photos to Photos Library.calotype, without seeing any.
          “a?b”
        Allow it? (yes, no) 
        """)
  }
}

@Suite struct DeletionTextTests {
  @Test(
    "A deletion says what goes",
    arguments: [
      (AuthorizationRequest.Deletion(.assets, localIdentifiers: ["A"]), "1 photo or video"),
      (.init(.recentlyDeletedAssets, localIdentifiers: ["A", "B"]), "for good 2 photos and videos"),
      (.init(.albums, localIdentifiers: ["A", "B"]), "2 albums"),
      (.init(.folders, localIdentifiers: ["A"]), "1 folder with what is in it"),
      (.init(.folders, localIdentifiers: ["A", "B"]), "2 folders with what is in them"),
    ])
  func text(deletion: AuthorizationRequest.Deletion, expected: String) { #expect(deletion.text == expected) }
}

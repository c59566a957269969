import Foundation
import HTTPTypes
import Photos
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct PasswordTests {
  private static let good = "a river in the night"
  /// 1,024 bytes.
  private static let emoji = String(
    String.UnicodeScalarView((0x1F300..<0x1F400).compactMap { Unicode.Scalar(UInt32($0)) }))

  private func signIn(
    _ server: TestServer, _ password: String, _ fields: [String: String] = [:], peer: String = "203.0.113.9"
  ) async throws -> TestServer.Answer {
    let body = String(decoding: try JSONEncoder().encode(["password": password]), as: UTF8.self)
    return try await server.post("/api/v1/session/password", json: body, fields, peer: peer)
  }

  private func setUp(_ server: TestServer, code: String, _ password: String = good) async throws -> TestServer.Answer {
    try await server.post(
      "/api/v1/session/set-up", json: #"{"code":"\#(code)","password":"\#(password)"}"#, host: "photos.example")
  }

  @Test func `U-03: the first password needs the set-up code, which works once`() async throws {
    let server = try TestServer(publicURL: "https://photos.example")
    let code = try server.signIn.makeSetUpCode().text
    #expect(code.count == 19)
    let refused = try await setUp(server, code: "0000-0000-0000-0000")
    #expect(refused.status == 403)
    #expect(try !server.signIn.hasPassword())
    // A code is typed in any case, and a refused password doesn't use it up.
    #expect(try await setUp(server, code: code, "short").status == 422)
    let answer = try await setUp(server, code: code.uppercased().replacing("-", with: " "))
    #expect(answer.status == 204)
    #expect(try server.signIn.hasPassword())
    #expect(try await setUp(server, code: code, "another river, at noon").text == refused.text)
    let host = "photos.example"
    #expect(
      try await server.ask("/api/v1/library", ["Cookie": answer.cookieField], host: host, isSignedIn: false).status
        == 200)
  }

  @Test func `U-03: a new start makes a new code`() async throws {
    let server = try TestServer(publicURL: "https://photos.example")
    let first = try server.signIn.makeSetUpCode().text
    let second = try server.signIn.makeSetUpCode().text
    #expect(try await setUp(server, code: first).status == 403)
    #expect(try await setUp(server, code: second).status == 204)
  }

  @Test(arguments: [
    // Too short, too long, frequent.
    ("1234567", false), ("pässwör", false), ("password", false), ("Passw0rd!", false), ("12345678", false),
    ("qwertyuiop", false), ("aaaaaaaa", false), ("abcabcabc", false), ("iloveyou2", false), ("24121998", false),
    ("1qaz2wsx3edc", false), ("Summer2024", false), ("calotype1", false), ("holidays", false),
    (String(repeating: "ab", count: 513), false), ("tab\tand more", false),
    // As they are typed.
    ("  spaces  ", true), ("a river in the night", true), ("Zürich im Nebel", true), ("ß∂ƒ©˙∆˚¬", true),
    (emoji, true), ("k7 qm2!xzd", true), ("correct horse battery", true),
  ])
  func `U-04: a password is accepted or refused by its rules`(password: String, isAccepted: Bool) {
    let rules = PasswordRules(ownWords: ["Holidays", "ann"])
    #expect((rules.problem(of: password) == nil) == isAccepted)
  }

  @Test(arguments: [
    // Words and names, also such as are not in the list of common words.
    "liverpool", "midnight", "victoria", "maverick", "slipknot", "Chrysler", "porcupine", "magdalena", "sheffield",
    "kartoffel", "caballero", "parapente", "sommerzeit", "Müllheim",
    // With digits, years, signs, and letters that are written as digits.
    "liverpool7", "sheffield1966", "porcupine123", "99caballero", "magdalena!", "p0rcup1ne", "$heffield", "Tr0ub4dor&3",
    // With a common word beside them.
    "ilovesheffield", "porcupinemaster",
    // Short numbers and words of three letters.
    "31415926", "11223344", "016094377", "aa123456", "xyz98765",
  ])
  func `U-04: a password that takes few guesses is refused`(password: String) {
    #expect(PasswordRules(ownWords: []).problem(of: password) != nil)
  }

  @Test(arguments: [
    "qmzvktrw", "xkqjwpfh", "sheffield!7#x", "sheffield84731", "three rivers", "6094377281",
    "porcupinesheffieldcaballero", "Müllheim 7 am Rhein", "k7qm2!xz",
  ])
  func `U-04: a password that takes many guesses is accepted`(password: String) {
    #expect(PasswordRules(ownWords: []).problem(of: password) == nil)
  }

  @Test(arguments: [emoji, "  spaces  ", "e\u{301}cole au bois"])
  func `U-04: a password is used exactly as it is typed`(password: String) async throws {
    let server = try TestServer()
    let body = String(decoding: try JSONEncoder().encode(["newPassword": password]), as: UTF8.self)
    #expect(try await server.post("/api/v1/password", json: body, isSignedIn: true).status == 204)
    #expect(try await signIn(server, password).status == 204)
    #expect(try await signIn(server, password.trimmingCharacters(in: .whitespaces) + "x").status == 401)
    let composed = password.precomposedStringWithCanonicalMapping
    if !composed.utf8.elementsEqual(password.utf8) { #expect(try await signIn(server, composed).status == 401) }
  }

  @Test func `U-05: after five wrong passwords an address has to wait, ever longer`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.good)
    for _ in 0..<5 { #expect(try await signIn(server, "wrong").status == 401) }
    for wait in [2, 4, 8] {
      let refused = try await signIn(server, Self.good)
      #expect(refused.status == 429)
      #expect(refused.field("Retry-After") == "\(wait)")
      server.clock.advance(1)
      #expect(try await signIn(server, Self.good).field("Retry-After") == "\(wait - 1)")
      server.clock.advance(Double(wait) - 1)
      #expect(try await signIn(server, "wrong").status == 401)
    }
    #expect(try await signIn(server, Self.good, peer: "203.0.113.10").status == 204)
  }

  @Test func `U-05: strangers don't lock out a browser that has signed in before`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.good)
    let known = try await signIn(server, Self.good).cookies[1].prefix { $0 != ";" }
    for _ in 0..<6 { _ = try await signIn(server, "wrong") }
    #expect(try await signIn(server, Self.good).status == 429)
    #expect(try await signIn(server, Self.good, ["Cookie": String(known)]).status == 204)
    let forged = known.dropLast() + (known.hasSuffix("A") ? "B" : "A")
    for _ in 0..<6 { _ = try await signIn(server, "wrong") }
    #expect(try await signIn(server, Self.good, ["Cookie": String(forged)]).status == 429)
  }

  @Test func `U-05: an owner link lets unknown browsers try again`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.good)
    for number in 0..<100 {
      #expect(try await signIn(server, "wrong", peer: "203.0.113.\(number)").status == 401)
      server.clock.advance(121)
    }
    #expect(try await signIn(server, Self.good, peer: "198.51.100.1").status == 429)
    let link = try server.signIn.makeOwnerLink().fragment ?? ""
    #expect(try await server.post("/api/v1/session/link", json: #"{"link":"\#(link)"}"#).status == 204)
    #expect(try await signIn(server, Self.good, peer: "198.51.100.1").status == 204)
  }

  @Test func `U-05: a known browser has its own limit`() {
    var limiter = SignInLimiter()
    let now = Date(timeIntervalSince1970: 0)
    for _ in 0..<10 { #expect(limiter.attempt(by: .device("a"), at: now) == .allowed) }
    #expect(limiter.attempt(by: .device("a"), at: now) == .refused(seconds: 2))
    #expect(limiter.attempt(by: .device("b"), at: now) == .allowed)
    limiter.succeeded(.device("a"))
    #expect(limiter.attempt(by: .device("a"), at: now) == .allowed)
  }

  @Test func `U-05: all unknown browsers together have thirty attempts an hour, and a hundred in all`() {
    var limiter = SignInLimiter()
    var now = Date(timeIntervalSince1970: 0)
    var allowed = 0
    for number in 0..<40 where limiter.attempt(by: .address("\(number)"), at: now) == .allowed { allowed += 1 }
    #expect(allowed == 30)
    #expect(limiter.attempt(by: .address("x"), at: now + 10) == .refused(seconds: 3590))
    for _ in 0..<3 {
      now += 3600
      for number in 0..<30 { _ = limiter.attempt(by: .address("\(now) \(number)"), at: now) }
    }
    #expect(limiter.attempt(by: .address("y"), at: now + 3600) == .closed)
    #expect(limiter.attempt(by: .device("a"), at: now) == .allowed)
    limiter.succeeded(.device("a"))
    #expect(limiter.attempt(by: .address("y"), at: now + 3600) == .allowed)
  }

  @Test func `the longest wait is a quarter of an hour`() {
    var limiter = SignInLimiter()
    var now = Date(timeIntervalSince1970: 0)
    var longest = 0
    for _ in 0..<60 {
      if case .refused(let seconds) = limiter.attempt(by: .device("a"), at: now) {
        longest = max(longest, seconds)
        now += Double(seconds)
      }
    }
    #expect(longest == 900)
  }

  @Test func `no password and a wrong one get the same answer`() async throws {
    let server = try TestServer()
    let without = try await signIn(server, Self.good)
    try server.setPassword(Self.good)
    let wrong = try await signIn(server, "wrong", peer: "203.0.113.10")
    let empty = try await signIn(server, "", peer: "203.0.113.11")
    #expect((without.status, without.text, without.fields) == (wrong.status, wrong.text, wrong.fields))
    #expect((empty.status, empty.text) == (wrong.status, wrong.text))
  }

  @Test func `the page of sessions says that a session has ended already`() async throws {
    let server = try TestServer()
    let page = try await server.post("/sessions/end", form: "id=%3Cb%3E%60A", isSignedIn: true)
    #expect(page.status == 404)
    #expect(page.text.contains("<p role=\"alert\">There is no session &lt;b&gt;<code>A.</code></p>"))
  }

  @Test(arguments: [("", 200), ("&endsOtherSessions=true", 401)])
  func `a new password ends other sessions if the box of the form is ticked`(box: String, status: Int) async throws {
    let server = try TestServer()
    try server.setPassword(Self.good)
    let other = try await signIn(server, Self.good)
    let changed = try await server.post(
      "/sessions/password", form: "currentPassword=a+river+in+the+night&newPassword=another+river,+at+noon\(box)",
      isSignedIn: true)
    #expect((changed.status, changed.field("Location")) == (303, "/sessions"))
    let cookie = ["Cookie": other.cookieField]
    #expect(try await server.ask("/api/v1/session", cookie, isSignedIn: false).status == status)
  }

  @Test func `failed sign-ins are shown on the owner's page`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.good)
    for _ in 0..<3 { _ = try await signIn(server, "wrong") }
    #expect(try await server.ask("/sessions").text.contains("3 failed sign-ins from 203.0.113.9 in the last day"))
  }

  @Test func `U-14: ending other sessions needs a recent password; reading and signing out don't`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.good)
    server.clock.advance(12 * 3600)
    for path in ["/api/v1/sessions/others", "/api/v1/sessions/A"] {
      let answer = try await server.ask(path, method: "DELETE")
      #expect(answer.status == 403)
      #expect(answer.problem?.type == "urn:calotype:problem:recent-authentication-required")
      #expect(answer.problem?.detail == "enter the password again to do this")
    }
    let page = try await server.post("/sessions/end", form: "id=A", isSignedIn: true)
    #expect((page.status, page.field("Content-Type")) == (403, "text/html; charset=utf-8"))
    for path in ["/api/v1/library", "/api/v1/sessions", "/api/v1/session", "/sessions", "/"] {
      #expect(try await server.ask(path).status == 200)
    }
    let confirmed = try await server.post(
      "/api/v1/session/authentication", json: #"{"password":"\#(Self.good)"}"#, isSignedIn: true)
    #expect(confirmed.status == 204)
    #expect(try await server.ask("/api/v1/library").status == 401, "the token has changed")
    let cookie = ["Cookie": confirmed.cookieField]
    #expect(
      try await server.ask("/api/v1/sessions/others", cookie, method: "DELETE", isSignedIn: false).status == 204)
    #expect(try await server.ask("/api/v1/session", cookie, method: "DELETE", isSignedIn: false).status == 204)
  }

  @Test func `U-14: the first password needs a recent owner link, and a new one the current`() async throws {
    let server = try TestServer()
    server.clock.advance(12 * 3600)
    let first = #"{"newPassword":"\#(Self.good)"}"#
    #expect(try await server.post("/api/v1/password", json: first, isSignedIn: true).status == 403)
    let link = try server.signIn.makeOwnerLink().fragment ?? ""
    let entry = try await server.post("/api/v1/session/link", json: #"{"link":"\#(link)"}"#)
    let set = try await server.post("/api/v1/password", json: first, ["Cookie": entry.cookieField])
    #expect(set.status == 204)
    #expect(try await server.ask("/api/v1/library").status == 401, "the other session has ended")
    let new = #"{"newPassword":"two rivers at noon","currentPassword":"wrong"}"#
    #expect(try await server.post("/api/v1/password", json: new, ["Cookie": set.cookieField]).status == 401)
    let right = new.replacing("wrong", with: Self.good)
    #expect(try await server.post("/api/v1/password", json: right, ["Cookie": set.cookieField]).status == 204)
    #expect(try await signIn(server, "two rivers at noon").status == 204)
  }

  @Test func `a set-up code is refused if another browser has set a password meanwhile`() async throws {
    let server = try TestServer(publicURL: "https://photos.example")
    let other = try PasswordHash(of: "another river, at noon", salt: Data(1...16), .cheap).text
    let library = server.library
    let signIn = try service(of: server, .cheap) {
      _ = try? library.signIns.setPasswordHash(other, of: library.signIns.owner().id, replacing: nil)
    }
    let code = try signIn.makeSetUpCode().text
    let client = SignInClient(address: "203.0.113.9", device: "Another")
    await #expect(throws: SignInError.wrongSetUpCode) {
      _ = try await signIn.setUp(code: code, password: Self.good, in: client)
    }
    #expect(try library.signIns.owner().passwordHash == other)
  }

  /// Returns a service that calls `meanwhile` when it hashes a password.
  private func service(
    of server: TestServer, _ parameters: PasswordHash.Parameters, meanwhile: @escaping @Sendable () -> Void
  ) throws -> SignInService {
    let isReady = Mutex(false)
    let random = RandomBytes { count in
      if count == PasswordHash.saltByteCount, isReady.withLock({ $0 }) { meanwhile() }
      return RandomBytes.system.make(count)
    }
    let service = SignInService(
      library: server.library, site: server.signIn.site, random: random, parameters: parameters)
    isReady.withLock { $0 = true }
    return service
  }

  @Test func `a password that is reset while a sign-in hashes it anew stays reset`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.good, .init(logRounds: 5, blockSize: 1, parallelism: 1))
    let library = server.library
    let signIn = try service(of: server, .cheap) { try? PhotosServer.resetPassword(of: library) }
    let client = SignInClient(address: "203.0.113.9", device: "Another")
    await #expect(throws: SignInError.wrongPassword) {
      _ = try await signIn.signIn(password: Self.good, isSharedComputer: false, in: client)
    }
    #expect(try library.signIns.owner().passwordHash == nil)
  }

  @Test func `a first password doesn't replace one that another browser set meanwhile`() async throws {
    let server = try TestServer()
    let other = try PasswordHash(of: "another river, at noon", salt: Data(1...16), .cheap).text
    let library = server.library
    let signIn = try service(of: server, .cheap) {
      _ = try? library.signIns.setPasswordHash(other, of: library.signIns.owner().id, replacing: nil)
    }
    let client = SignInClient(address: "203.0.113.9", device: "Another")
    let session = try signIn.signIn(link: signIn.makeOwnerLink().fragment ?? "", in: client).session
    await #expect(throws: SignInError.wrongPassword) {
      _ = try await signIn.setPassword(
        Self.good, current: nil, endsOtherSessions: false, by: session, in: client)
    }
    #expect(try library.signIns.owner().passwordHash == other)
  }

  @Test func `without a set-up code, the page of a public server says how to get one`() async throws {
    let server = try TestServer(publicURL: "https://photos.example")
    func page() async throws -> String {
      try await server.ask("/sign-in", host: "photos.example", isSignedIn: false).text
    }
    #expect(try await page().contains("start <code>calotype serve</code> again"))
    #expect(try await page().contains("<h1>Sign in</h1>"))
    _ = try server.signIn.makeSetUpCode()
    #expect(try await page().contains("name=\"code\""))
    #expect(try await page().contains("<h1>Set a password</h1>"))
    try PhotosServer.resetPassword(of: server.library)
    #expect(try await !page().contains("name=\"code\""))
  }

  @Test func `U-15: two passwords are checked at a time, and eight wait`() async throws {
    let work = PasswordWork()
    let gate = DispatchSemaphore(value: 0)
    let running = Counter()
    let checks = (0..<10).map { _ in
      Task {
        try await work.run {
          running.add(1)
          gate.waits(for: "the other checks")
          running.add(-1)
        }
      }
    }
    defer { for _ in checks { gate.signal() } }
    // The ten that were admitted don't end before the gate is open, and all others are refused.
    try await wait(for: "ten checks") { await work.count == 10 }
    for _ in 0..<40 { await #expect(throws: SignInError.tooManyChecks) { try await work.run {} } }
    try await wait(for: "two checks at a time") { running.count == 2 }
    for _ in checks { gate.signal() }
    for check in checks { try await result(of: check, "a check").get() }
    #expect(running.most == 2)
  }

  @Test func `U-15: many sign-ins at once check ten passwords`() async throws {
    let work = PasswordWork()
    let server = try TestServer(passwordWork: work)
    try server.setPassword(Self.good)
    let gate = DispatchSemaphore(value: 0)
    // Both places are taken until the gate is open.
    let checks = (0..<2).map { _ in Task { try await work.run { gate.waits(for: "the refused sign-ins") } } }
    defer { for _ in checks { gate.signal() } }
    try await wait(for: "two checks") { await work.count == 2 }
    let refused = Counter()
    let statuses = Task {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 {
          group.addTask {
            let status = try await self.signIn(server, "wrong", peer: "203.0.113.\(number)").status
            if status == 429 { refused.add(1) }
            return status
          }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
    }
    try await wait(for: "the refused sign-ins") { refused.count == 12 }
    for _ in checks { gate.signal() }
    let all = try await result(of: statuses, "the sign-ins").get()
    #expect(all.filter { $0 == 401 }.count == 8)
    #expect(all.filter { $0 == 429 }.count == 12)
  }

  @Test(.enabled(if: Soak.isOn, Soak.reason))
  func `U-15: many sign-ins at once take the memory of two`() async throws {
    let server = try TestServer(passwordParameters: .standard)
    try server.setPassword(Self.good, .standard)
    // Sets the peak to the memory that is in use now.
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let before = try peakMemory()
    let count = 50
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<count {
        group.addTask { try await self.signIn(server, "wrong", peer: "203.0.113.\(number)").status }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses.allSatisfy { $0 == 401 || $0 == 429 })
    #expect(try peakMemory() - before <= 160 << 20)
  }

  @Test func `a stored hash has its parameters, and is renewed when they rise`() async throws {
    let parameters = PasswordHash.Parameters(logRounds: 5, blockSize: 2, parallelism: 2)
    let hash = try PasswordHash(of: "é", salt: Data([1, 2, 3]), parameters)
    #expect(hash.text.hasPrefix("$scrypt$ln=5,r=2,p=2$AQID$"))
    let read = try #require(PasswordHash(text: hash.text))
    #expect(read.parameters == parameters)
    #expect(try read.matches("é"))
    #expect(try !read.matches("e\u{301}"))
    let server = try TestServer()
    try server.setPassword(Self.good, parameters)
    #expect(try await signIn(server, Self.good).status == 204)
    #expect(try server.library.signIns.owner().passwordHash?.hasPrefix("$scrypt$ln=4,r=1,p=1$") == true)
    #expect(try await signIn(server, Self.good).status == 204)
  }

  @Test(arguments: [
    "", "$scrypt$", "$scrypt$ln=60,r=8,p=2$AQID$AQID", "$argon2$ln=5,r=2,p=3$AQID$AQID",
    "$scrypt$ln=x,r=2,p=3$AQID$AQID",
  ])
  func `a damaged hash is none`(text: String) { #expect(PasswordHash(text: text) == nil) }

  @Test(arguments: [("16,r=8,p=2", true), ("17,r=8,p=2", false), ("16,r=9,p=2", false), ("16,r=8,p=3", false)])
  func `a hash that takes more than those of today is none`(parameters: String, isPermitted: Bool) {
    let key = Data(count: 32).base64EncodedString()
    #expect((PasswordHash(text: "$scrypt$ln=\(parameters)$AQID$\(key)") != nil) == isPermitted)
  }

  @Test func `no password has the hash of nothing, which costs as much to compare with`() throws {
    let parameters = PasswordHash.Parameters(logRounds: 5, blockSize: 2, parallelism: 2)
    let nothing = PasswordHash(ofNothing: .system, parameters)
    let something = try PasswordHash(of: "", salt: nothing.salt, parameters)
    #expect(nothing.parameters == parameters)
    #expect(nothing.key.count == something.key.count)
    #expect(nothing.key != something.key)
    #expect(try !nothing.matches("") && !nothing.matches(Self.good))
  }

  /// The scrypt test vector of RFC 7914, section 12.
  @Test func `scrypt gives the key of its standard`() throws {
    let hash = try PasswordHash(
      of: "pleaseletmein", salt: Data("SodiumChloride".utf8), .init(logRounds: 14, blockSize: 8, parallelism: 1))
    #expect(
      hash.key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
  }

  @Test func `a form signs in without scripts, exactly as typed`() async throws {
    let server = try TestServer()
    try server.setPassword("  Zürich & Nebel+ ")
    let wrong = try await server.post("/sign-in", form: "username=owner&password=x")
    #expect(wrong.status == 401)
    #expect(wrong.text.contains("<p role=\"alert\">The password is wrong.</p>"))
    let right = try await server.post(
      "/sign-in", form: "username=owner&password=++Z%C3%BCrich+%26+Nebel%2B+&isSharedComputer=true")
    #expect((right.status, right.field("Location")) == (303, "/"))
    #expect(right.cookies[0].hasSuffix("Path=/; Secure; HttpOnly; SameSite=Strict"), "the browser forgets it")
  }

  @Test func `a message on a page is a sentence with commands as code`() {
    #expect(
      HTML(sentence: "run `calotype open` & wait").text == "Run <code>calotype open</code> &amp; wait.")
    #expect(HTML(sentence: "<b> is ``").text == "&lt;b&gt; is <code></code>.")
  }

  @Test func `a session's device can't write into the page`() async throws {
    let server = try TestServer()
    let text = try await server.ask("/sessions", ["User-Agent": "<img src=x>"]).text
    #expect(!text.contains("<img"))
    let html: HTML = "<p>\("<b>\"'&")</p>"
    #expect(html.text == "<p>&lt;b&gt;&quot;&#39;&amp;</p>")
  }
}

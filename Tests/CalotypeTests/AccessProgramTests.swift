import Foundation
import PhotosTesting
import ProgramTesting
import Testing

@Suite struct AccessProgramTests {
  @Test func anOwnerSaysWhatClientsMay() throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let program = Program(library: temporary.url.path)
    let first = String(try #require(program.run("list", "--json").lines.first))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
    let identifier = try #require(object["localIdentifier"] as? String)
    #expect(try program.run("access", "list").output == "")
    #expect(try program.run("access", "grant", "com.example.A").output == "com.example.A sees everything\n")
    #expect(
      try program.run("access", "grant", "--add-only", "com.example.B").output == "com.example.B may add assets\n")
    #expect(try program.run("access", "limit", "com.example.C", identifier).output == "com.example.C sees 1 asset\n")
    #expect(try program.run("access", "revoke", "com.example.A").output == "com.example.A sees nothing\n")
    #expect(
      try program.run("access", "list").output == """
        sees nothing              com.example.A
        adds only                 com.example.B
        sees 1 asset              com.example.C

        """)
    #expect(
      try program.run("access", "list", "--json").lines.last
        == """
        {"addOnly":"notDetermined","identifier":"com.example.C","name":"com.example.C","readWrite":"limited","selectedAssets":1}
        """)
    let unknown = try program.run("access", "revoke", "com.example.Z")
    #expect(unknown.status == 1)
    #expect(unknown.errors == "calotype: com.example.Z: the library knows no such client\n")
    let missing = try program.run("access", "limit", "com.example.C", "nothing")
    #expect(missing.errors == "calotype: nothing: there is no such asset\n")
  }
}

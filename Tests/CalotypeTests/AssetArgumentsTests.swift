import Photos
import PhotosTesting
import TestSupport
import Testing

@Suite struct AssetArgumentsTests {
  @Test func `an identifier may be shortened`() throws {
    let organized = try OrganizedLibrary()
    let identifier = organized.identifiers[0]
    for length in [6, 8, 20, 35] {
      for name in [identifier.prefix(length).uppercased(), identifier.prefix(length).lowercased()] {
        let outcome = try organized.program.run("info", name)
        #expect(outcome.output.hasPrefix("Identifier:     \(identifier)\n"), "\(outcome.errors)")
      }
    }
  }

  @Test(arguments: ["", "%", "/L0", "__"])
  func `five characters and other texts name no asset`(end: String) throws {
    let organized = try OrganizedLibrary()
    let name = organized.identifiers[0].prefix(5) + end
    let outcome = try organized.program.run("favorite", String(name))
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: \(name): there is no such asset\n")
  }

  @Test func `a beginning that several identifiers share is refused with their number`() throws {
    let temporary = try TemporaryLibrary(hasNumberedIdentifiers: true)
    try temporary.add([.photo(), .photo(hidden: true), .photo()])
    let outcome = try Program(library: temporary.url.path).run("favorite", "00000000-")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == "calotype: 00000000-: the identifiers of 3 assets begin with this; use a longer part\n")
  }

  @Test func `a shortened identifier is looked up by the index`() throws {
    let organized = try OrganizedLibrary()
    let options = PHFetchOptions()
    options.photoLibrary = organized.temporary.library
    let found = PHAsset.fetchAssets(
      withIdentifierPrefix: String(organized.identifiers[0].prefix(6)), options: options)
    #expect(found.count == 1)
    let plan = try found.explanation()
    #expect(plan.contains("(uuid>? AND uuid<?)"), "\(plan)")
  }
}

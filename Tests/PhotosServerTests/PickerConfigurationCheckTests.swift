import Foundation
import Photos
import Testing

@testable import PhotosServer
@testable import PhotosUI

@Suite struct PickerConfigurationCheckTests {
  struct Row: Decodable, CustomTestStringConvertible {
    var configuration: JSONValue
    /// The key whose value is refused.
    var refused: String?
    var testDescription: String { "\(configuration)" }
  }

  /// The table that `picking.test.js` reads too.
  static let rows: [Row] = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.appendingPathComponent("WebTests/picker-configurations.json")
    do { return try JSONDecoder().decode([Row].self, from: Data(contentsOf: file)) } catch {
      Issue.record(error)
      return []
    }
  }()

  @Test("The server refuses what the window refuses, and names the key", arguments: rows) func table(row: Row) throws {
    guard let key = row.refused else {
      _ = try ReadPickerRequest(row.configuration)
      return
    }
    let failure = #expect(throws: Failure.self) { try ReadPickerRequest(row.configuration) }
    #expect(failure?.status == .unprocessableContent)
    #expect(failure?.message.hasPrefix("configuration.\(key)") == true)
  }

  @Test("The table has rows of both kinds") func rowsOfBothKinds() {
    #expect(Self.rows.count(where: { $0.refused == nil }) > 10)
    #expect(Self.rows.count(where: { $0.refused != nil }) > 10)
  }

  /// Returns the error that a configuration gets.
  private func refusal(_ configuration: PHPickerConfiguration) throws -> String? {
    let encoded = try JSONEncoder().encode(PickerRequest(configuration))
    do {
      _ = try ReadPickerRequest(JSONDecoder().decode(JSONValue.self, from: encoded))
      return nil
    } catch let failure as Failure { return failure.message }
  }

  @Test("A search text of 1,001 characters is refused, and one of 1,000 is not") func longText() throws {
    var configuration = PHPickerConfiguration()
    configuration.searchText = PHPickerSearchText(String(repeating: "a", count: 1_001))
    #expect(try refusal(configuration) == "configuration.searchText: it has more than 1000 characters")
    configuration.searchText = PHPickerSearchText(String(repeating: "a", count: 1_000))
    #expect(try refusal(configuration) == nil)
  }

  @Test("A filter of 65 parts is refused, and one of 64 is not") func manyParts() throws {
    var configuration = PHPickerConfiguration()
    configuration.filter = .any(of: Array(repeating: .images, count: 64))
    #expect(try refusal(configuration) == "configuration.filter: it has more than 64 parts")
    configuration.filter = .any(of: Array(repeating: .images, count: 63))
    #expect(try refusal(configuration) == nil)
  }

  @Test("A filter of 33 levels is refused, and one of 32 is not") func deep() throws {
    var configuration = PHPickerConfiguration()
    configuration.filter = (1..<33).reduce(PHPickerFilter.images) { filter, _ in .any(of: [filter]) }
    #expect(try refusal(configuration) == "configuration.filter: it is deeper than 32 levels")
    configuration.filter = (1..<32).reduce(PHPickerFilter.images) { filter, _ in .any(of: [filter]) }
    #expect(try refusal(configuration) == nil)
  }

  @Test("More than 100,000 preselected assets are refused") func manyPreselected() throws {
    let identifiers = JSONValue.array((0...100_000).map { .string("\($0)") })
    let failure = #expect(throws: Failure.self) {
      try ReadPickerRequest(.object(["identifiers": .bool(true), "preselected": identifiers]))
    }
    #expect(failure?.message == "configuration.preselected: it has more than 100000 values")
  }

  @Test("The window of a program's picker begins with what the program gets by default") func programsDefaults() throws
  {
    let read = try ReadPickerRequest(.object(["includeCaptions": .bool(false)]))
    #expect(
      read.configuration
        == .object([
          "representation": .string("automatic"), "includeLocation": .bool(true), "includeCaptions": .bool(false),
        ]))
    #expect(read.form == HandedOverForm(representation: .automatic, removedMetadata: .removeCaptions))
  }

  @Test("An asset that is preselected twice is selected once") func twice() throws {
    let request = try ReadPickerRequest(
      .object([
        "identifiers": .bool(true),
        "preselected": .array([.string("A/L0/001"), .string("B"), .string("A")]),
      ]))
    #expect(request.preselected == ["A", "B"])
  }
}

import Foundation
import LibraryStore
import PhotosTesting
import TestSupport
import Testing

@testable import Photos

@Suite struct PredicateCarryingTests {
  private let favorite = NSPredicate(format: "favorite == YES")
  private let wide = NSPredicate(format: "pixelWidth > %d", 9)
  private let isWide = compared(.pixelWidth, .greater, .integer(9))

  @Test func copiesAndCompoundsKeepTheTree() throws {
    let copy = try #require(favorite.copy() as? NSPredicate)
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
      copy,
      NSCompoundPredicate(orPredicateWithSubpredicates: [
        wide, NSCompoundPredicate(notPredicateWithSubpredicate: favorite), NSPredicate(value: false),
      ]),
    ])
    let expected = Condition.all([isFavorite, .any([isWide, .not(isFavorite), .never])])
    #expect(try compound.condition(for: .asset) == expected)
    #expect(try copy.condition(for: .asset) == isFavorite)
    let copied = try (compound.copy() as? NSPredicate)?.condition(for: .asset)
    withKnownIssue("Foundation copies a compound predicate as one that is never true") {
      #expect(copied == expected)
    }
  }

  @Test func constantsAreToldFromBlocks() throws {
    #expect(try NSPredicate(value: true).condition(for: .asset) == .always)
    #expect(try NSPredicate(value: false).condition(for: .collection) == .never)
    #expect(try NSCompoundPredicate(andPredicateWithSubpredicates: []).condition(for: .asset) == .all([]))
    #expect(try NSCompoundPredicate(orPredicateWithSubpredicates: []).condition(for: .asset) == .any([]))
  }

  @Test func aChainOfCompoundsIsOneList() throws {
    let chain = (0..<150).reduce(favorite as NSPredicate) { chain, _ in
      NSCompoundPredicate(andPredicateWithSubpredicates: [chain, wide])
    }
    #expect(try chain.condition(for: .asset) == .all([isFavorite] + Array(repeating: isWide, count: 150)))
    let deep = (0..<300).reduce(favorite as NSPredicate) { deep, _ in
      NSCompoundPredicate(notPredicateWithSubpredicate: deep)
    }
    let error = #expect(throws: PHPhotosError.self) { try deep.condition(for: .asset) }
    #expect(
      error?.localizedDescription
        == "Unsupported predicate in fetch options: compound predicates are nested more than 100 levels deep")
  }

  @Test(
    "A block of someone else's is refused, even one that expects an object of the class",
    arguments: PredicateEntity.allCases)
  func block(entity: PredicateEntity) {
    let blocks: [NSPredicate] = [
      NSPredicate { _, _ in true }, NSPredicate { _, _ in false },
      NSPredicate { object, _ in
        if entity == .asset, let asset = object as? PHAsset { return asset.isFavorite }
        return (object as! PHCollection).localizedTitle == nil
      },
    ]
    for block in blocks + [NSCompoundPredicate(notPredicateWithSubpredicate: blocks[0])] {
      let error = #expect(throws: PHPhotosError.self) { try block.condition(for: entity) }
      #expect(
        error?.localizedDescription
          == "Unsupported predicate in fetch options: block predicates can't be used in a fetch; use NSPredicate(format:)"
      )
    }
  }

  @Test func anErrorIsKeptUntilTheFetch() {
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [favorite, NSPredicate(format: "favorite ==")])
    #expect(throws: PHPhotosError.self) { try compound.condition(for: .asset) }
  }
}

@Suite struct PredicateEvaluationTests {
  @Test(
    "A predicate says of an asset what a fetch would",
    arguments: [
      ("mediaType == 1 AND favorite == YES", true), ("hidden == YES", false), ("pixelWidth > pixelHeight", true),
      ("(mediaSubtypes & 4) != 0", true), ("(mediaSubtypes & 8) != 0", false), ("mediaSubtypes == 6", true),
      ("duration BETWEEN {1, 2}", true), ("duration BETWEEN {2, 3}", false), ("duration == 1.5", true),
      ("mediaType IN {2, 1}", true), ("mediaType IN {}", false), ("pixelWidth / 2 == 2016", true),
      ("localIdentifier == '0a1b/L0/001'", true), ("SELF IN {'X'}", false),
      ("creationDate == CAST(-978220800, 'NSDate')", true), ("creationDate > now()", false),
      ("burstIdentifier == nil", true), ("burstIdentifier != 'a'", true), ("burstIdentifier == 'a'", false),
      ("NOT burstIdentifier == 'a'", true), ("burstIdentifier < 'a'", false), ("burstIdentifier IN {'a', nil}", true),
      ("burstIdentifier !=[c] 'a'", true), ("burstIdentifier CONTAINS 'a'", false),
      ("modificationDate < now()", false), ("modificationDate <= nil", false), ("NOT modificationDate < now()", true),
      ("originalFilename == nil", true), ("latitude == nil", true), ("pixelWidth / (pixelWidth - 4032) > 0", false),
      ("TRUEPREDICATE", true), ("1 == 2 OR 1 == 1", true),
    ])
  func asset(format: String, expected: Bool) {
    #expect(NSPredicate(format: format).evaluate(with: SampleAsset()) == expected)
  }

  @Test(
    "Texts are compared as a fetch compares them",
    arguments: [
      ("title CONTAINS 'Paris'", true), ("title CONTAINS 'paris'", false), ("title CONTAINS[c] 'paris'", true),
      ("title BEGINSWITH[cd] 'ete'", true), ("title BEGINSWITH 'ete'", false), ("title ENDSWITH 'ris'", true),
      ("title CONTAINS ''", false), ("title LIKE 'Ét?*'", true), ("title LIKE[cd] 'ete*S'", true),
      ("title LIKE 'Ét\\\\*'", false), ("title MATCHES '.t. P.*'", false), ("title MATCHES 'Été à P.*'", true),
      ("title MATCHES[cd] 'ete.*paris'", true), ("title MATCHES 'Été'", false), ("title ==[cd] 'ETE A PARIS'", true),
      ("title < 'a'", false), ("title > 'Z'", true), ("startDate < now() AND endDate == nil", true),
      ("estimatedAssetCount == nil", true), ("estimatedAssetCount > 0", false), ("SELF == '0C'", true),
    ])
  func album(format: String, expected: Bool) {
    #expect(NSPredicate(format: format).evaluate(with: SampleAlbum()) == expected)
  }

  @Test func anArrayIsFiltered() throws {
    let assets = (1...4).map { width in
      let asset = SampleAsset()
      asset.width = width
      return asset
    }
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "pixelWidth > 1"), NSPredicate(format: "NOT pixelWidth == 3"),
    ])
    let found = (assets as NSArray).filtered(using: compound) as? [SampleAsset]
    #expect(found?.map(\.width) == [2, 4])
  }
}

@Suite struct PredicateRobustnessTests {
  @Test func randomWordsNeverCrash() {
    var random = SeededGenerator(seed: 11)
    let words = [
      "(", ")", "{", "}", ",", "==", "!=", "<", "AND", "OR", "NOT", "!", "&", "|", "*", "/", "favorite", "pixelWidth",
      "creationDate", "cameraModel", "SELF", "1", "0", "'x'", "%@", "%d", "%K", "-", "IN", "BETWEEN", "CONTAINS[cd]",
      "LIKE",
      "MATCHES", "[", "]", "CAST", "now()", "nil", "#", "#IN", "TRUEPREDICATE", "\"", "'\\", "0x", "1.2.3", "1e999",
      "ANY",
      "**", "🙂", "é", "%", "9223372036854775807", "YES",
    ]
    let comparisons = ["favorite == YES", "pixelWidth > %d", "%@ < creationDate", "cameraModel LIKE 'x*'"]
    var readable = 0
    for _ in 0..<4000 {
      let format = (0..<Int.random(in: 1...14, using: &random)).map { place in
        if place % 2 == 1 { return Bool.random(using: &random) ? "AND" : "OR" }
        return Int.random(in: 0..<8, using: &random) == 0
          ? words[Int.random(in: 0..<words.count, using: &random)]
          : comparisons[Int.random(in: 0..<comparisons.count, using: &random)]
      }
      let predicate = NSPredicate(format: format.joined(separator: " "), argumentArray: [1, firstDay, 5, "x"])
      guard (try? predicate.condition(for: .asset)) != nil else { continue }
      _ = predicate.evaluate(with: SampleAsset())
      readable += 1
    }
    for _ in 0..<4000 {
      let count = Int.random(in: 1...14, using: &random)
      let format = (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }
      _ = try? condition(format.joined(separator: " "), ["x", 1, firstDay])
    }
    #expect(readable > 0)
  }

  @Test func randomPartsOfAPredicateNeverCrash() {
    var random = SeededGenerator(seed: 12)
    let format = Array("(mediaSubtypes & %d) != 0 AND cameraModel LIKE[cd] 'i\\'P*' OR NOT duration BETWEEN {1, 2.5e3}")
    for _ in 0..<2000 {
      var damaged = format
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        if Bool.random(using: &random) {
          damaged.remove(at: place)
        } else {
          damaged.insert(damaged[place / 2], at: place)
        }
      }
      _ = try? condition(String(damaged), [4])
    }
  }

  @Test(
    "Deep nesting and long chains are refused, on a small stack too",
    arguments: [
      String(repeating: "(", count: 5000) + "favorite == YES" + String(repeating: ")", count: 5000),
      String(repeating: "NOT ", count: 5000) + "favorite == YES",
      "pixelWidth == " + String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000),
      "pixelWidth == " + String(repeating: "-", count: 5000) + "1",
      "pixelWidth IN " + String(repeating: "{", count: 5000) + "1",
      "pixelWidth == " + String(repeating: "CAST(", count: 5000) + "1",
      "pixelWidth" + String(repeating: " + pixelWidth", count: 5000) + " > 1",
    ])
  func nesting(format: String) {
    let message = onSmallStack {
      do {
        _ = try condition(format)
        return ""
      } catch { return error.localizedDescription }
    }
    #expect(message.contains("more than 100 "))
  }

  @Test func aFormatWithFewerLevelsIsRead() {
    let (open, close) = (String(repeating: "(", count: 99), String(repeating: ")", count: 99))
    let result = onSmallStack {
      let format = "\(open)favorite == YES\(close)"
      return (try? condition(format)) == isFavorite ? "read" : "refused"
    }
    #expect(result == "read")
  }

  @Test func aLongFormatIsReadWhole() throws {
    let format = Array(repeating: "localIdentifier == '0A1B/L0/001'", count: 5000).joined(separator: " OR ")
    guard case .any(let parts) = try condition(format) else {
      Issue.record("no disjunction")
      return
    }
    #expect(parts.count == 5000)
    #expect(throws: PHPhotosError.self) {
      try condition(String(repeating: "(", count: PredicateLexer.formatByteLimit + 1))
    }
  }

  /// Runs `work` on a thread with a stack of 2 MB. Linux gives threads 8 MB by default.
  private func onSmallStack(_ work: @escaping @Sendable () -> String) -> String {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result = ""
    let thread = Thread {
      result = work()
      done.signal()
    }
    thread.stackSize = 2 * 1024 * 1024
    thread.start()
    done.waits(for: "the work on a small stack")
    return result
  }
}

import Foundation

/// Gives the files of an archive different names, regardless of case, that every system allows.
struct UniqueNames {
  private var taken: Set<String> = []
  /// The last number of a name, so that thousands of equal names take no time.
  private var numbers: [String: Int] = [:]

  /// Returns the names of an asset's files. They get the same number, so that the halves of a Live
  /// Photo still belong together.
  mutating func names(of files: [String]) -> [String] {
    let safe = files.map { name in
      String((Filename.safe(name) ?? "original").map { "<>:\"|?*".contains($0) ? "_" : $0 })
    }
    // Two files of one asset may have the same name.
    guard Set(safe.map(Self.key)).count == safe.count else { return safe.flatMap { names(of: [$0]) } }
    let first = safe.first.map(Self.key) ?? ""
    var number = numbers[first] ?? 1
    while true {
      let names = safe.map { Self.name($0, number: number) }
      let keys = names.map(Self.key)
      if taken.isDisjoint(with: keys) {
        taken.formUnion(keys)
        numbers[first] = number + 1
        return names
      }
      number += 1
    }
  }

  private static func name(_ name: String, number: Int) -> String {
    guard number > 1 else { return name }
    let (stem, ending) = Filename.parts(of: name)
    return "\(stem) (\(number))\(ending)"
  }

  private static func key(_ name: String) -> String { name.lowercased().precomposedStringWithCanonicalMapping }
}

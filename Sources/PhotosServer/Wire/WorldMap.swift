import Foundation

/// The outlines of countries and the places of cities in `world.json`, which `docs/MAP.md`
/// describes.
struct WorldMap: Sendable {
  struct City: Encodable, Sendable {
    var name: String
    /// In degrees.
    var latitude: Double
    var longitude: Double
  }

  let cities: [City]
  /// The names of the cities without case, accents and all between their words, after a space.
  private let foldedNames: [String]
  /// The countries as a picture of 360 by 180 units, one for each degree, with north above.
  let outlines: String

  private struct File: Decodable {
    struct Country: Decodable {
      var rings: [[Int]]
    }

    struct City: Decodable {
      var name: String
      var latitude: Int
      var longitude: Int

      init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        name = try values.decode(String.self)
        latitude = try values.decode(Int.self)
        longitude = try values.decode(Int.self)
      }
    }

    var scale: Int
    var countries: [Country]
    var cities: [City]
  }

  init(json: Data) throws {
    let file = try JSONDecoder().decode(File.self, from: json)
    let scale = Double(file.scale)
    cities = file.cities.map {
      City(name: $0.name, latitude: Double($0.latitude) / scale, longitude: Double($0.longitude) / scale)
    }
    foldedNames = cities.map { Self.folded($0.name) }
    // A ring is a point and then steps. After `M0 0`, the command `m` reads its numbers so, too.
    let paths = file.countries.map { country in
      let rings = country.rings.map { ring in
        let steps = stride(from: 0, to: ring.count - 1, by: 2).map { "\(ring[$0]) \(-ring[$0 + 1])" }
        return "M0 0m\(steps.joined(separator: " "))z"
      }
      return "<path d=\"\(rings.joined())\"/>"
    }
    outlines = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -90 360 180">
      <g transform="scale(\(1 / scale))" fill="currentColor" fill-rule="evenodd">
      \(paths.joined(separator: "\n"))
      </g>
      </svg>

      """
  }

  /// Returns the cities with a text at the beginning of a word, whatever its case and accents.
  /// Cities whose names begin with the text are first.
  func cities(named text: String) -> [City] {
    let text = Self.folded(text)
    guard text.contains(where: \.isLetter) else { return [] }
    let found = zip(cities, foldedNames).filter { $0.1.contains(text) }
    return (found.filter { $0.1.hasPrefix(text) } + found.filter { !$0.1.hasPrefix(text) }).map(\.0)
  }

  /// Returns the words of a text, each after a space.
  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
      .split { !$0.isLetter }.map { " \($0)" }.joined()
  }
}

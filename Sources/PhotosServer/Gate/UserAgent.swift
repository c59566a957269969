/// Describes a `User-Agent` field in words: `Firefox on Linux`.
enum UserAgent {
  static func device(_ field: String?) -> String {
    guard let field, !field.isEmpty else { return "An unknown program" }
    guard let browser = browsers.first(where: { field.contains($0.mark) })?.name else {
      // The name of a program, as in `curl/8.5.0`.
      let name = field.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
      return name.isEmpty ? "An unknown program" : String(name.prefix(40))
    }
    guard let system = systems.first(where: { field.contains($0.mark) })?.name else { return browser }
    return "\(browser) on \(system)"
  }

  // A browser also names those with which it is compatible, so the order matters.
  private static let browsers = [
    (mark: "Edg", name: "Edge"), (mark: "OPR/", name: "Opera"), (mark: "Firefox/", name: "Firefox"),
    (mark: "FxiOS/", name: "Firefox"), (mark: "CriOS/", name: "Chrome"),
    (mark: "SamsungBrowser/", name: "Samsung Internet"),
    (mark: "Chromium/", name: "Chromium"), (mark: "Chrome/", name: "Chrome"), (mark: "Epiphany/", name: "GNOME Web"),
    (mark: "Safari/", name: "Safari"),
  ]
  private static let systems = [
    (mark: "iPhone", name: "iPhone"), (mark: "iPad", name: "iPad"), (mark: "Android", name: "Android"),
    (mark: "CrOS", name: "ChromeOS"), (mark: "Windows", name: "Windows"), (mark: "Mac OS X", name: "Mac"),
    (mark: "Linux", name: "Linux"),
  ]
}

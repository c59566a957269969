extension ParsedValues {
  /// Reads a person's texts from QuickTime's keys and from the older four-letter names.
  mutating func readTexts(_ movie: QuickTimeMovie) {
    func value(_ key: String, _ letters: String...) -> String? {
      for name in ["com.apple.quicktime." + key] + letters { if let value = movie.values[name] { return value } }
      return nil
    }
    texts.add(.title, value("title", "©nam"), from: .container)
    texts.add(.caption, value("description", "©des", "desc"), from: .container)
    texts.addKeywords(value("keywords", "©key"), separator: ",", from: .container)
    texts.add(.location, value("location.name"), from: .container)
    texts.add(.rating, value("rating.user"), from: .container)
    if value("camera.identifier")?.hasPrefix("Front") == true { isFrontCamera = true }
  }
}

/// A file's name that marks a picture or a movie of a screen. Android, Windows, macOS and older
/// versions of iOS leave no other mark.
///
///     ScreenName.isScreenshot("Screenshot_20190201-212530_Fennec.jpg")    // true
enum ScreenName {
  static func isScreenshot(_ path: String) -> Bool { begins(path, with: screenshots) }

  static func isRecording(_ path: String) -> Bool {
    if begins(path, with: recordings) { return true }
    // Pixel's "screen-20230101-101010.mp4". Other names may begin with this word.
    let name = path.lastPathComponent.lowercased()
    return name.hasPrefix("screen-20") && name.dropFirst(7).prefix(8).allSatisfy(\.isWholeNumber)
  }

  /// Whether a name begins with one of the words, and no letter follows: "Screenshots" is the name
  /// of a folder.
  private static func begins(_ path: String, with words: [String]) -> Bool {
    let name = path.lastPathComponent.lowercased()
    return words.contains { word in
      guard name.hasPrefix(word) else { return false }
      return !(name.dropFirst(word.count).first?.isLetter ?? false)
    }
  }

  private static let screenshots = [
    // English; Android uses this in all languages.
    "screenshot", "screen shot", "screen_shot",
    // German, French, Spanish, Portuguese, Italian, Dutch.
    "bildschirmfoto", "capture d’écran", "capture d'écran", "captura de pantalla", "captura de tela",
    "captura de ecrã", "schermata", "schermafbeelding",
    // Danish, Swedish, Norwegian, Finnish.
    "skærmbillede", "skärmavbild", "skärmbild", "skjermbilde", "kuvakaappaus", "näyttökuva",
    // Polish, Czech, Hungarian, Turkish, Russian, Ukrainian.
    "zrzut ekranu", "snímek obrazovky", "képernyőfotó", "képernyőkép", "ekran resmi", "ekran görüntüsü",
    "снимок экрана", "скриншот", "знімок екрана",
    // Japanese, Korean, Chinese.
    "スクリーンショット", "스크린샷", "屏幕快照", "屏幕截图", "截屏", "截图", "截圖", "螢幕快照", "螢幕截圖",
  ]

  private static let recordings = [
    "rpreplay", "screen recording", "screenrecording", "screen_recording", "screenrecorder", "screen_recorder",
    "bildschirmaufnahme", "enregistrement de l’écran", "enregistrement de l'écran", "grabación de pantalla",
  ]
}

import Foundation

/// The passwords that are tried first, by rules in place of a list: common words with digits or
/// signs around them, repetitions, sequences, rows of the keyboard, and dates.
struct FrequentPasswords {
  private let words: Set<String>

  init(ownWords: [String]) {
    let own = ownWords.flatMap {
      [$0, $0.filter { !$0.isWhitespace }] + $0.split(whereSeparator: { !$0.isLetter }).map(String.init)
    }
    words = Self.commonWords.union(own.map(Self.plain).filter { $0.count > 2 })
  }

  func contains(_ password: String) -> Bool {
    let typed = password.lowercased().filter { !$0.isWhitespace }
    return Self.isRepetition(typed) || Self.isWalk(typed) || Self.isDate(typed) || consistsOfWords(typed)
  }

  /// Returns whether the password consists of one or two common words, with anything but letters
  /// around them.
  private func consistsOfWords(_ typed: String) -> Bool {
    [typed, Self.withoutSubstitutes(typed)].contains { text in
      let core = text.drop { !$0.isLetter }
      let word = Self.plain(
        String(core[..<(core.lastIndex(where: \.isLetter).map(core.index(after:)) ?? core.startIndex)]))
      if words.contains(word) || Self.isWalk(word) || (word.count > 2 && Self.isRepetition(word)) { return true }
      return word.indices.contains { words.contains(String(word[..<$0])) && words.contains(String(word[$0...])) }
    }
  }

  /// Returns only the letters and digits.
  private static func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Replaces digits and signs that stand for letters, as in `p@ssw0rd`.
  private static func withoutSubstitutes(_ text: String) -> String {
    // Digits at the end are rather a number than letters.
    let end = text.lastIndex { !$0.isNumber && $0 != "!" }.map(text.index(after:)) ?? text.startIndex
    return String(text[..<end].map { substitutes[$0] ?? $0 }) + text[end...]
  }

  private static let substitutes: [Character: Character] = [
    "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i", "€": "e",
  ]

  /// Returns whether up to four characters are repeated all the time, as in `abcabcab`.
  private static func isRepetition(_ text: String) -> Bool {
    let characters = Array(text)
    return (1...4).contains { period in
      period * 2 <= characters.count
        && characters.indices.dropFirst(period).allSatisfy { characters[$0] == characters[$0 - period] }
    } || Set(characters).count <= 2
  }

  /// Returns whether each character is beside the one before: in the alphabet, among the digits, or
  /// on a keyboard, in pieces of at least three.
  private static func isWalk(_ text: String) -> Bool {
    var rest = text[...]
    guard rest.count >= 3 else { return false }
    while !rest.isEmpty {
      let longest = rows.map { commonPrefixCount(rest, in: $0) }.max() ?? 0
      guard longest >= 3 else { return false }
      rest = rest.dropFirst(longest)
    }
    return true
  }

  /// Returns the length of the longest beginning of a text that a row contains.
  private static func commonPrefixCount(_ text: Substring, in row: String) -> Int {
    var count = 0
    while count < text.count, row.contains(text.prefix(count + 1)) { count += 1 }
    return count
  }

  private static let rows: [String] = {
    let rows = [
      "abcdefghijklmnopqrstuvwxyz", "0123456789", "1234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl",
      "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn", "1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm",
      "1q2w3e4r5t6y7u8i9o0p",
      "q1w2e3r4t5y6u7i8o9p0", "!@#$%^&*()", "147258369", "a1b2c3d4e5f6g7h8", "1a2b3c4d5e6f7g8h",
    ]
    return rows + rows.map { String($0.reversed()) }
  }()

  /// Returns whether a text is only digits with a year in them, as a date has: `24121998`.
  private static func isDate(_ text: String) -> Bool {
    let digits = text.filter(\.isNumber)
    guard digits.count == text.filter({ !"./-".contains($0) }).count, (6...8).contains(digits.count) else {
      return false
    }
    return [digits.prefix(4), digits.suffix(4)].contains { (1900...2099).contains(Int($0) ?? 0) }
  }

  /// Words that were chosen for this list, in English and some in German, French and Spanish.
  private static let commonWords = Set(
    """
    password passwort passwd pass passe motdepasse contrasena contraseña kennwort geheim secret secreto admin administrator
    root user guest login signin welcome willkommen bienvenue bienvenido hello hallo bonjour hola letmein iloveyou ichliebedich
    teamo jetaime love liebe amour amor lovely lover trustno master access open sesame opensesame test testing tester default
    changeme change temp temporary computer internet server network windows linux debian ubuntu apple android google amazon
    facebook twitter instagram youtube netflix spotify samsung iphone mobile phone telephone photo photos photograph picture
    pictures foto fotos bilder bild image images camera kamera album gallery library calotype familie family famille familia
    mother mama mutter father papa vater brother sister baby child kinder daughter grandma grandpa freedom frieden peace sunshine
    sonnenschein soleil summer sommer winter spring autumn fall herbst january february march april june july august september
    october november december monday tuesday wednesday thursday friday saturday sunday montag freitag samstag sonntag christmas
    weihnachten holiday vacation urlaub birthday dragon drache monkey tiger lion bear wolf eagle falcon horse pferd dog hund cat
    katze kitty rabbit hase butterfly schmetterling dolphin shark snoopy garfield mickey minnie donald batman superman spiderman
    pokemon pikachu starwars skywalker yoda matrix hunter killer ninja samurai warrior knight wizard merlin magic princess
    prinzessin prince king koenig queen angel engel devil teufel heaven hell jesus christ god gott blessed faith hope charlie
    michael jennifer jessica jordan thomas daniel andrew joshua matthew robert william james john david alexander maria anna
    sarah laura julia nicole ashley amanda michelle hannah sophie emma peter stefan andreas christian football fussball soccer
    baseball basketball hockey tennis golf racing ferrari porsche mercedes corvette mustang harley yamaha money geld bank gold
    silver silber diamond platinum chocolate schokolade cookie cookies coffee kaffee banana orange cherry pepper ginger cheese
    pizza beer bier whiskey flower blume rainbow regenbogen purple violet yellow green blue black white red star stern moon mond
    sun sonne sky himmel fire feuer water wasser earth ocean river mountain berg thunder blizzard storm music musik guitar piano
    metal rock jazz player game gamer gaming hacker cool sexy hottie honey schatz darling sweetheart sweet cutie babygirl babyboy
    beautiful pretty handsome friend friends forever whatever nothing something never always today tomorrow super happy lucky
    good bad big little mine your yours the my you me is am in of for abc qwerty qwertz azerty asdf home house haus school
    schule teacher student work office company manager private personal security secure safe ilove i love jeg
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}

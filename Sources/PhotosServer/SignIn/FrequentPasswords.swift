import Foundation

/// The passwords that are tried first, by rules in place of a list: common words with digits or
/// signs around them, repetitions, sequences, rows of the keyboard, dates, and other words and
/// numbers that take few guesses.
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
    if Self.isRepetition(typed) || Self.isWalk(typed) || Self.isDate(typed) || consistsOfWords(typed) { return true }
    // Words with spaces between them are a sentence, and not one long word.
    return !password.contains(where: \.isWhitespace) && isGuessed(typed)
  }

  // MARK: Guesses

  /// The guesses that a password has to withstand. With the stored hash, each of them takes a
  /// processor a third of a second, and all of them a century.
  private static let guessLimit = 1e10
  /// The approximate number of words and names that people use as passwords.
  private static let wordCount = 1e5
  private static let longestWord = 11

  /// Returns whether the password is a word that takes few guesses with the digits and signs around
  /// it, or a short number.
  private func isGuessed(_ typed: String) -> Bool {
    [typed, Self.withoutSubstitutes(typed)].contains { text in
      guard let first = text.firstIndex(where: \.isLetter), let last = text.lastIndex(where: \.isLetter) else {
        return Self.guesses(ofSigns: text[...]) < Self.guessLimit
      }
      guard let guesses = guesses(ofWord: text[first...last]) else { return false }
      let around = [text[..<first], text[last...].dropFirst()].map(Self.guesses(ofSigns:))
      return guesses * around[0] * around[1] < Self.guessLimit
    }
  }

  /// Returns the number of guesses for a word, or for a word before or after a common one; `nil` if
  /// the text is neither.
  private func guesses(ofWord text: Substring) -> Double? {
    let word = text.folding(options: .diacriticInsensitive, locale: nil)
    guard word.allSatisfy(\.isLetter) else { return nil }
    if word.count <= 3 { return pow(26, Double(word.count)) }
    if Self.isLikeAWord(word) { return Self.wordCount }
    let isBesideCommonWord = word.indices.contains { index in
      let (start, end) = (String(word[..<index]), String(word[index...]))
      return words.contains(start) && Self.isLikeAWord(end) || words.contains(end) && Self.isLikeAWord(start)
    }
    return isBesideCommonWord ? Self.wordCount * Double(words.count) : nil
  }

  /// Returns whether each pair of neighboring letters occurs in a common word. This is true for
  /// nine of ten other words, and for one of thirty random texts.
  private static func isLikeAWord(_ text: String) -> Bool {
    (3...longestWord).contains(text.count) && pairs(of: text).allSatisfy(commonPairs.contains)
  }

  private static let commonPairs = Set(commonWords.flatMap(pairs(of:)))

  private static func pairs(of text: String) -> [String] { zip(text, text.dropFirst()).map { "\($0)\($1)" } }

  private static func guesses(ofSigns text: Substring) -> Double {
    if text.count == 4, (1900...2099).contains(Int(text) ?? 0) { return 200 }
    if text.count > 2, isWalk(String(text)) || isRepetition(String(text)) { return 1000 }
    return text.reduce(1) { $0 * ($1.isNumber ? 10 : 33) }
  }

  // MARK: Rules

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

  /// Words and names that were chosen for this list, in English and some in other languages.
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
    aaron abba absolut absolute action adam adrian adventure agent airplane alan albert alejandro alessandro alex
    alexandra alfred alice alison alpha amber ambition america amsterdam anarchy andre andrea andy angela animal anita
    anne annika anthony antonio apollo apricot aragorn arrow arsenal arthur artist athena athens atlanta attitude
    aurora austin australia austria avatar balloon bambi bandit bangkok barbara barcelona basket bayern beach beatles
    beatrice beauty beijing belgium benjamin berlin bernd berry bettina bicycle bigdaddy bird birdie birgit blaster
    blonde bomber bond borussia boss boston bottle bowie bowling boxing brandon brasil brazil bread bremen brenda
    brian bridge broncos brooklyn brownie bruno brussels bubbles budapest buddy buffalo bugs bulldogs bullet bunny
    burning business buster butter button cadillac cake california cambridge camel camilla canada candle candy captain
    caramel cardinal carlos carmen carnival carol caroline carrot carsten cartoon casino castle catherine cecilia
    celtic challenge champion chance charger charlotte cheater chelsea cheyenne chicago chicken china chloe chris
    christina christopher cinnamon circus claire classic claudia clover cobra coconut coldplay cologne comet commander
    concrete copper cosmic country cow cowboy cowboys crazy cream creative creator cricket criminal crocodile crystal
    cyber cynthia daisy dakota dallas dance dancer danger danny dark darth daytona death deborah dennis destiny
    deutschland diablo diana diego dieter digital director doctor dodgers dollar dolphins dominik donna doom dorothy
    double dream dreamer dreams dresden driver drummer dublin duck duke dumbledore dylan eagles eclipse edinburgh
    education edward egypt einstein eleanor electric element elena elephant elisabeth elizabeth emerald emily eminem
    emperor energy engine engineer england enigma enterprise eric erika ernst escape eternal eternity ethan eugene
    europe eva everton evil excalibur extreme fabian fantasy fashion felix fernando fighter fish fishing flash flight
    florence florian florida flowers fluffy force forest fortune fountain fox france frances francesco frank frankfurt
    frederic frodo frog future gabriel galaxy gandalf garden gateway gemini general genesis geneva genius george
    gerald gerhard germany ghost giants giovanni giraffe giulia gladiator glasgow gloria glory goat goddess godzilla
    goku golden goldfish gordon gorilla grace grape graphics grateful gravity gregory grizzly guillaume gunner gunther
    guru gustav halloween hamburg hammer hamster hannover happiness harmony harry harvest hawaii health heart hearts
    heather heidi heike heinz helen helga helicopter henry hercules hermann hermione hero history hobbit holland homer
    homework honda honest horses houston hugo hulk hunting hurricane icecream illusion imagine imperial independent
    india indiana inferno infinity ingrid insane inspiration ireland iron ironman isabella island istanbul italia
    italy jack jackson jacob jaguar jamaica japan jasmin jean jedi jeffrey jens jerome jessie jester jewel joan
    johanna johnny joker jonas jonathan jorge joseph journey joy juan juergen juliette jungle junior justice justin
    juventus karate karen karin karl katherine katrin kelly kenneth kentucky kermit kevin kimberly kingdom kisses
    klaus kristin krzysztof kyle ladybug lakers larry lars laser leader legend legolas leipzig lemon leonard leonie
    leopard liberty lifetime lightning lilly lime linda lisa lisbon literature liverpool living lizard london
    losangeles loser louis louise lovers luca lucas lucia luis lukas luna machine madison madness madonna madrid
    magnum maiden manchester mango manuel marathon marco margaret marie marine mario marion mark markus marlboro
    marriage martha martin martina mason maurice maverick max maximum medicine melanie melissa melody melon memories
    mercury mermaid metallica mexico miami michel midnight miguel milan milano military minecraft miracle mission
    molly monika monster moonlight morgan morning moscow motorola mouse mozart muenchen munich mushroom mystery nadine
    nancy naples naruto natalie nathan nature navy neo nevada newyork nicholas nightmare nina nintendo nirvana noodle
    norbert norway number nursery oblivion olive oliver olivia olympic onion orchid oreo original orion oscar outlaw
    owl oxford pablo pacific packers painter painting pamela panda pantera panther paradise paris parker pascal
    passion patience patricia patrick patriots paul pauline peach peanut pear pearl pegasus penguin pepsi petra
    phantom philadelphia philip phoenix pierre pig pilot pineapple pinkfloyd pioneer pirate pirates planet poison
    police politics pony popcorn popular portal portland portugal poseidon positive potato potter power prague
    precious predator president professor promise prophet psycho pumpkin puppy puzzle pyramid quality question rachel
    radio rafael raiders railroad ralf rambo rammstein ranger rangers raptor raspberry raymond reality rebecca rebel
    record redhead redskins regina remember renegade republic rescue revenge revolution rex rhythm richard rider
    roberto robin robot rocket rockstar rocky roger roland romance romantic rome ronald rooster rosa rose roses runner
    running russia rusty ruth ryan sabine sailing sailor salad salt salvation samantha sammy samuel sandman sandra
    sandwich sara satan saturn savage scarface schalke science scooter scorpion scotland scott sean seattle sebastian
    serenity seven shadow shalom shanghai shannon sharon sheep sheriff shooter shopping shrek silence silvia simba
    simon simone simpson simpsons singer skate skater skeleton skiing skull slayer sleeping slipknot smile smiles
    smoke smokey snake snowball snowboard snowflake snowman sofia soldier sonic spaghetti spain sparky speed spider
    spike spirit spongebob sports spurs squirrel station steel steelers stella stephanie stephen steven stockholm
    stranger strawberry strength strike strong studio stupid stuttgart subaru success sugar sunset supreme surfer
    surfing survivor susan susanne sushi suzuki sven sweden switzerland sword swordfish sydney sylvia system tanja
    target tatjana technology teresa terminator texas thankyou theater theodor thor thriller ticket tigger tim timber
    timothy tina tinkerbell titan titanic tobias toby tokyo tom tomato tony toronto toyota tractor traffic travel
    treasure trinity triumph trouble truck trumpet turtle twilight tyler ultimate unicorn united universal universe
    university ursula uwe vader valencia valentina vampire vanessa vanilla vegas velvet vengeance venice vera vermont
    veronica victor victoria victory video vienna vietnam viking village vincent viper virginia virus vision vodka
    volcano voldemort volleyball voyager walnut walter wanted warcraft warning warsaw washington weather wedding wendy
    werder werner western whale whisky wildcat wildcats wilhelm willow window wine winner winners winnie wisdom
    wolfgang wolverine wonder wonderful working world wrestling writer xavier xbox yankees yvonne zelda zeppelin zeus
    zodiac zoe zombie zorro zurich
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}

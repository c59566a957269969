import Testing

@testable import PhotosUI

@Suite struct RequestTests {
  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("A configuration without settings is written with the defaults") func defaults() throws {
    let request = PickerRequest(PHPickerConfiguration())
    #expect(
      try text(request) == """
        {"identifiers":false,"includeCaptions":true,"includeLocation":true,"representation":"automatic","selection":"default","selectionLimit":1}
        """)
  }

  @Test("Every setting of a configuration is written") func everything() throws {
    var configuration = PHPickerConfiguration()
    configuration.filter = .all(of: [.any(of: [.livePhotos, .playbackStyle(.video)]), .not(.screenshots)])
    configuration.selection = .continuousAndOrdered
    configuration.selectionLimit = 0
    configuration.preferredAssetRepresentationMode = .current
    configuration.preselectedAssetIdentifiers = ["A", "B"]
    configuration.mode = .compact
    configuration.edgesWithoutContentMargins = [.leading, .bottom]
    configuration.disabledCapabilities = [
      .search, .stagingArea, .collectionNavigation, .selectionActions, .sensitivityAnalysisIntervention,
    ]
    configuration.searchText = PHPickerSearchText("fjord")
    configuration.metadataOptions = [.removeLocation, .removeCaptions]
    #expect(
      try text(PickerRequest(configuration)) == """
        {"disabledCapabilities":["search","stagingArea","collectionNavigation","selectionActions"],\
        "edgesWithoutContentMargins":["leading","bottom"],\
        "filter":{"all":[{"any":["livePhotos",{"playbackStyle":4}]},{"not":"screenshots"}]},\
        "identifiers":false,"includeCaptions":false,"includeLocation":false,"mode":"compact","preselected":["A","B"],\
        "representation":"current","searchText":"fjord","selection":"continuousAndOrdered","selectionLimit":0}
        """)
  }

  @Test(
    "A limit that no page could count to is the largest one, and a negative one is none",
    arguments: [(Int.max, 2_147_483_647), (.min, 0), (-1, 0), (0, 0), (7, 7)])
  func limits(wanted: Int, expected: Int) {
    var configuration = PHPickerConfiguration()
    configuration.selectionLimit = wanted
    #expect(PickerRequest(configuration).selectionLimit == expected)
  }

  @Test("An asset that is preselected twice is preselected once, also by its UUID alone") func preselectedTwice() {
    var configuration = PHPickerConfiguration()
    configuration.preselectedAssetIdentifiers = ["A/L0/001", "B/L0/001", "A/L0/001", "A", "B"]
    #expect(PickerRequest(configuration).preselected == ["A/L0/001", "B/L0/001"])
  }

  @Test(
    "Commands are written as messages of the protocol",
    arguments: [
      (
        .update(selectionLimit: 5, edgesWithoutContentMargins: [.top], searchText: "sea"),
        #"{"edgesWithoutContentMargins":["top"],"searchText":"sea","selectionLimit":5,"type":"update"}"#
      ),
      (.deselect(["A"]), #"{"identifiers":["A"],"type":"deselect"}"#),
      (.move("A", after: "B"), #"{"after":"B","identifier":"A","type":"move"}"#),
      (.move("A", after: nil), #"{"identifier":"A","type":"move"}"#),
      (.scrollToInitialPosition, #"{"type":"scrollToInitialPosition"}"#),
      (.zoomIn, #"{"type":"zoomIn"}"#),
      (.zoomOut, #"{"type":"zoomOut"}"#),
    ] as [(PickerCommand, String)])
  func commands(command: PickerCommand, expected: String) throws { #expect(try text(command) == expected) }

  @Test("The raw values are PhotoKit's") func rawValues() {
    #expect(
      [PHPickerConfiguration.AssetRepresentationMode.automatic, .current, .compatible].map(\.rawValue) == [0, 1, 2])
    #expect(
      [PHPickerConfiguration.Selection.default, .ordered, .continuous, .continuousAndOrdered].map(\.rawValue)
        == [0, 1, 2, 3])
    #expect(
      [
        PHPickerCapabilities.search, .stagingArea, .collectionNavigation, .selectionActions,
        .sensitivityAnalysisIntervention,
      ].map(\.rawValue) == [1, 2, 4, 8, 16])
    #expect([PHPickerMetadataOptions.removeLocation, .removeCaptions].map(\.rawValue) == [1, 2])
    #expect([PHLivePhotoBadgeOptions.overContent, .liveOff].map(\.rawValue) == [1, 2])
    #expect([PHLivePhotoViewPlaybackStyle.undefined, .full, .hint].map(\.rawValue) == [0, 1, 2])
  }

  @Test("A configuration is a value") func value() {
    var configuration = PHPickerConfiguration()
    let before = configuration
    #expect(configuration == before)
    configuration.selectionLimit = 2
    #expect(configuration != before)
    #expect(PHPickerConfiguration.Update() == PHPickerConfiguration.Update())
  }
}

@Suite struct EnvironmentPickersTests {
  @Test(
    "CALOTYPE_PICKER answers",
    arguments: [
      ("cancelled", .cancelled), ("newest:2", .newest(2)), ("newest:0", .newest(0)),
      ("picked:A,B", .picked(["A", "B"])),
      ("picked:", .picked([])), ("newest", nil), ("newest:-1", nil), ("newest:x", nil), ("cancelled:1", nil), ("", nil),
      ("all", nil),
    ] as [(String, EnvironmentPickers.Answer?)])
  func answer(text: String, expected: EnvironmentPickers.Answer?) {
    #expect(EnvironmentPickers.Answer(text) == expected)
  }

  @Test("Several answers are given one after the other, and the last one to all further pickers") func several() throws
  {
    let pickers = try #require(EnvironmentPickers("newest:1; picked:A;cancelled"))
    let answers = try (0..<4).map { _ in try pickers.next() }
    #expect(answers == [.newest(1), .picked(["A"]), .cancelled, .cancelled])
  }

  @Test("Without the variable a person is asked, and a wrong value is an error that names it") func wrong() throws {
    #expect(EnvironmentPickers(nil) == nil)
    #expect(EnvironmentPickers("") == nil)
    let pickers = try #require(EnvironmentPickers("some"))
    let error = #expect(throws: PHPhotosError.self) { try pickers.next() }
    #expect(
      error?.localizedDescription
        == "CALOTYPE_PICKER is “some”, and has to be newest:COUNT, picked:IDENTIFIER,IDENTIFIER or cancelled")
  }
}

@Suite struct BrowserTests {
  @Test(
    "CALOTYPE_BROWSER shows the address, else xdg-open if there is a screen",
    arguments: [
      (["CALOTYPE_BROWSER": "firefox --new-window"], ["firefox", "--new-window", "http://a/"]),
      (["DISPLAY": ":0", "PATH": "/bin:/usr/bin"], ["xdg-open", "http://a/"]),
      (["WAYLAND_DISPLAY": "wayland-0", "PATH": "/usr/bin"], ["xdg-open", "http://a/"]),
      (["DISPLAY": ":0", "PATH": "/bin"], nil),
      (["DISPLAY": "", "PATH": "/usr/bin"], nil),
      (["PATH": "/usr/bin"], nil),
      ([:], nil),
    ] as [([String: String], [String]?)])
  func command(environment: [String: String], expected: [String]?) {
    let command = Browser.command(for: "http://a/", environment: environment) { $0 == "/usr/bin/xdg-open" }
    #expect(command == expected)
  }
}

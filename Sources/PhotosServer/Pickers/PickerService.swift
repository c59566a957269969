import Foundation
import Photos
import PhotosUI
import Synchronization

/// Shows the pickers of programs in the owner's browser, and hands over what was picked.
final class PickerService: Sendable {
  /// The library as its owner sees it, since the owner picks.
  private let library: PHPhotoLibrary
  private let site: SiteAddress
  private let clock: @Sendable () -> Date
  private let awakeTime: @Sendable () -> SuspendingClock.Instant
  private let random: RandomBytes
  private let sessions: Mutex<PickerSessions>

  init(
    library: PHPhotoLibrary, site: SiteAddress, clock: @escaping @Sendable () -> Date,
    awakeTime: @escaping @Sendable () -> SuspendingClock.Instant, random: RandomBytes
  ) {
    self.library = library.photoLibrary(for: nil)
    self.site = site
    self.clock = clock
    self.awakeTime = awakeTime
    self.random = random
    sessions = Mutex(PickerSessions(at: PickerMoment(clock(), awakeTime: awakeTime())))
  }

  private var now: PickerMoment { PickerMoment(clock(), awakeTime: awakeTime()) }

  // MARK: The program

  struct Opened: Encodable {
    /// The secret by which the program names the session.
    var session: String
    /// The address that shows the picker.
    var picker: String
    /// Two digits, which the program shows and the person types; `nil` if none have to be typed.
    var code: String?
    var expiresIn = Int(PickerSessions.waitLimit)
  }

  /// Begins a session. Reads the disk if a page asks for identifiers.
  func begin(
    _ configuration: JSONValue, clientName: String, process: Int? = nil, asker: PickerAsker = .ownUser
  ) throws -> Opened {
    let request = try read(configuration, of: asker)
    let (secret, id) = (Secret(random), Secret.base64URL(random.make(16)))
    let name = ForeignText.cleaned(clientName, limit: ClientTexts.longestName)
    let code = asker.isOwnUser ? nil : String(10 + random.make(2).reduce(0) { $0 << 8 | Int($1) } % 90)
    do {
      try sessions.withLock { sessions throws(PickerSessions.Refusal) in
        try sessions.add(
          id: id, secretHash: secret.hash, request, clientName: name, process: process, asker: asker, code: code,
          at: now)
      }
    } catch .tooMany(let seconds) {
      throw Failure(
        .tooManyRequests, "too many pickers were opened; try again in \(seconds) seconds",
        [.retryAfter: String(seconds)])
    }
    return Opened(
      session: secret.text, picker: site.url(path: "picker", fragment: "s=\(id)").absoluteString, code: code)
  }

  private func read(_ configuration: JSONValue, of asker: PickerAsker) throws -> ReadPickerRequest {
    guard !asker.isOwnUser else { return try ReadPickerRequest(configuration) }
    let identifiers = try asker.origin.map { try OriginIdentifiers(of: $0, in: library, random, isListed: false) }
    return try ReadPickerRequest(configuration, of: asker) { identifiers?.asset(of: $0) }
  }

  /// Returns the session of a secret. Throws 404 if there is none of the asker.
  func session(_ secret: String, of asker: PickerAsker = .ownUser) throws -> PickerSessions.Session {
    let hash = Secret.hash(of: secret[...])
    let found = sessions.withLock { $0.session(secretHash: hash, asker: asker, at: now) }
    guard let found else { throw Failure(.notFound, "there is no such picker, or it has ended") }
    return found
  }

  /// Returns the items that a session reports to its program; `nil` before there are any.
  func items(of session: PickerSessions.Session) throws -> [PickedItem]? {
    try session.assets.map { try shown($0).map { try item(of: $0, in: session) } }
  }

  private func item(of asset: PHAsset, in session: PickerSessions.Session) throws -> PickedItem {
    let picked = PickedAsset(asset, in: session.form)
    return PickedItem(
      item: session.items[asset.uuid] ?? "",
      identifier: session.request.identifiers ? asset.localIdentifier : nil,
      isLivePhoto: asset.playbackStyle == .livePhoto, types: try picked.files(), name: picked.name)
  }

  /// Returns the items that a session reports to a page, or to a program elsewhere; `nil` before
  /// there are any.
  func sharedItems(of session: PickerSessions.Session) throws -> [SharedPickedItem]? {
    guard let assets = try session.assets.map(shown) else { return nil }
    var identifiers: OriginIdentifiers?
    if let origin = session.asker.origin, session.request.identifiers, !assets.isEmpty {
      identifiers = try OriginIdentifiers(of: origin, in: library, random, isListed: true)
    }
    let preselected = Set(session.request.preselected)
    return try assets.map { asset in
      var item = try item(of: asset, in: session)
      item.identifier = identifiers?.identifier(ofAsset: asset.uuid)
      // The page has what was selected before.
      if preselected.contains(asset.uuid) { item.types = [] }
      return SharedPickedItem(item, asset)
    }
  }

  func command(_ command: JSONValue, to session: PickerSessions.Session) throws {
    let type = try JSONPlace(value: command, path: "").fields().require("type").string()
    sessions.withLock { $0.command(command, isClose: type == "close", id: session.id, at: now) }
  }

  /// Returns what pages and programs elsewhere can still load.
  func shares() -> [PickerSessions.Share] { sessions.withLock { $0.shares(at: now) } }

  /// Ends the sessions of all pages, and of programs elsewhere.
  func removeShared() { sessions.withLock { $0.removeShared(at: now) { _ in true } } }

  /// Ends the sessions of the pages of an origin.
  func removeShared(origin: String) {
    sessions.withLock { $0.removeShared(at: now) { $0.asker.origin == origin } }
  }

  /// Ends the session with a public name, unless it is of a program of the library's user.
  func removeShared(id: String) { sessions.withLock { $0.removeShared(at: now) { $0.id == id } } }

  func remove(_ session: PickerSessions.Session) { sessions.withLock { $0.remove(session.id, at: now) } }

  /// Returns the asset that has a name in a session. Throws 404 unless it was picked.
  func pickedAsset(_ item: String, in session: PickerSessions.Session) throws -> PickedAsset {
    let asset = session.items.first { $0.value == item }?.key
    guard let asset, session.assets?.contains(asset) == true, let found = try shown([asset]).first else {
      throw Failure(.notFound, "\(item): it was not picked")
    }
    return PickedAsset(found, in: session.form)
  }

  /// Returns whether the rest of a picked item may still be sent. For a program of the library's
  /// user, this is always true. For others, it is true until the session ends, for example by the
  /// owner's Stop, or until the asset is hidden or deleted.
  func goesOn(_ item: PickedAsset, of session: PickerSessions.Session) throws -> Bool {
    guard !session.asker.isOwnUser else { return true }
    guard sessions.withLock({ $0.hasSession(session.id, at: now) }) else { return false }
    return try !shown([item.asset.uuid]).isEmpty
  }

  // MARK: The window

  /// Returns the session of a public name for its window, which may say whether it is hidden.
  /// Throws 404 if it has ended.
  func openWindow(of id: String, isHidden: Bool? = nil) throws -> PickerSessions.Session {
    guard let session = sessions.withLock({ $0.openWindow(of: id, isHidden: isHidden, at: now) }) else {
      throw Failure(.notFound, "this picker has ended")
    }
    return session
  }

  /// Takes the code that the person has typed. Throws 403 if it is another one, and 409 if the
  /// picker has ended.
  func confirm(_ id: String, code: String) throws {
    guard let isRight = sessions.withLock({ $0.confirm(id, code: code, at: now) }) else {
      throw Failure(.conflict, "this picker has ended")
    }
    guard isRight else { throw Failure(.forbidden, "these are not the digits of this picker") }
  }

  /// Takes an answer of a window. Throws 409 if the picker has ended.
  func answer(_ id: String, _ answer: PickerAnswer) throws {
    let assets = try shown(answer.assets).map(\.uuid)
    let isTaken = sessions.withLock { sessions in
      guard let asked = sessions.form(askedForBy: id) else { return false }
      return sessions.answer(
        id, answer.state, assets: assets, form: answer.form(insteadOf: asked), at: now,
        makeName: { Secret.base64URL(random.make(16)) })
    }
    guard isTaken else { throw Failure(.conflict, "this picker has ended") }
  }

  /// Ends the sessions of a program that has ended.
  func removeAll(ofProcess process: Int) { sessions.withLock { $0.removeAll(ofProcess: process, at: now) } }

  /// Returns how long there has been no picker.
  var idleTime: TimeInterval { sessions.withLock { $0.idleTime(at: now) } }

  private func shown(_ ids: [String]) throws -> [PHAsset] { try PHAsset.shown(ids, in: library) }
}

extension PHAsset {
  /// Returns those of the assets that a picker of a library shows, in their order: none that are
  /// hidden or deleted.
  static func shown(_ ids: [String], in library: PHPhotoLibrary) throws -> [PHAsset] {
    guard !ids.isEmpty else { return [] }
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.predicate = NSPredicate(format: "localIdentifier IN %@", ids)
    let found = PHAsset.fetchAssets(with: options)
    if let error = found.error { throw error }
    let assets = found.objects(at: IndexSet(0..<found.count))
    let known = Dictionary(assets.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    return ids.compactMap { known[$0] }
  }
}

/// An item that was picked for a page, or for a program elsewhere. It has no date, no place and no
/// texts.
struct SharedPickedItem: Encodable {
  struct File: Encodable {
    var kind: PickedItem.Kind
    /// The MIME type.
    var type: String
    var uniformType: String
    var bytes: Int?
  }

  var item: String
  var identifier: String?
  var mediaType: String
  var isLivePhoto: Bool
  var types: [File]
  var name: String
  var pixelWidth: Int
  var pixelHeight: Int
  var duration: Double

  init(_ picked: PickedItem, _ asset: PHAsset) {
    item = picked.item
    identifier = picked.identifier
    mediaType = asset.mediaType.name
    isLivePhoto = picked.isLivePhoto
    types = picked.types.map {
      File(
        kind: $0.kind, type: ContentType.of(uniformTypeIdentifier: $0.uniformType), uniformType: $0.uniformType,
        bytes: $0.bytes)
    }
    name = Filename.safe(picked.name) ?? "photo"
    pixelWidth = asset.pixelWidth
    pixelHeight = asset.pixelHeight
    duration = asset.duration
  }
}

/// The selection in a window, and whether it is the last one.
struct PickerAnswer: Sendable {
  var state: PickerSessions.State
  var assets: [String]
  private var representation: PHPickerConfiguration.AssetRepresentationMode
  private var includesLocation: Bool?
  private var includesCaptions: Bool?

  init(_ place: JSONPlace) throws {
    let fields = try place.fields(["type", "assets", "representation", "includeLocation", "includeCaptions"])
    let type = try fields.require("type")
    switch try type.string() {
    case "change": state = .open
    case "picked": state = .picked
    case "cancelled": state = .cancelled
    default: throw type.failure("it has to be change, picked or cancelled")
    }
    assets = try fields.require("assets").array().map { try $0.string() }
    let representation = try fields.require("representation")
    guard let mode = PHPickerConfiguration.AssetRepresentationMode(name: try representation.string()) else {
      throw representation.failure("it has to be automatic, current or compatible")
    }
    self.representation = mode
    includesLocation = try fields["includeLocation"]?.bool()
    includesCaptions = try fields["includeCaptions"]?.bool()
  }

  /// Returns the form that the person has chosen. The program's wishes hold for the rest.
  func form(insteadOf asked: HandedOverForm) -> HandedOverForm {
    HandedOverForm(
      representation: representation,
      removedMetadata: .init(
        includesLocation: includesLocation ?? !asked.removedMetadata.contains(.removeLocation),
        includesCaptions: includesCaptions ?? !asked.removedMetadata.contains(.removeCaptions)))
  }
}

extension PickedAsset {
  fileprivate init(_ asset: PHAsset, in form: HandedOverForm) {
    self.init(asset: asset, representation: form.representation, removing: form.removedMetadata)
  }
}

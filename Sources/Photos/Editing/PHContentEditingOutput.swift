import Foundation
internal import LibraryStore
import Synchronization
import UniformTypeIdentifiers

/// What an edit comes to: a rendered file, and the data that says how it was made.
///
///     let output = PHContentEditingOutput(contentEditingInput: input)
///     output.adjustmentData = PHAdjustmentData(formatIdentifier: …, formatVersion: …, data: …)
///     try jpeg.write(to: output.renderedContentURL)
///     try await library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
///
/// - The file is written in full size and upright: a JPEG, unless another type's URL is asked for; a QuickTime movie of a video.
/// - A picture that says another EXIF orientation than 1 is shown as it says: what `losslesslyTurnedImageData` and `PhotoEdit` turn without loss
///   may do so. Whoever reads renders has to heed it.
/// - Both must be there when the change block is committed; else it fails with `invalidResource`, and nothing is changed.
/// - The files lie in a folder of the output's own, which goes away with it: keep it until the change is through. It is on the library's
///   disk, below `incoming`, and what a killed process left there is cleared.
/// - Any thread may use it.
public final class PHContentEditingOutput: NSObject, @unchecked Sendable {
  // What changes stands behind a lock.

  private let state = Mutex(State())
  private let isVideo: Bool
  /// What the edit was made of, where that is no original: without it the edit could not be taken up again.
  let bases: [EditBase]
  private let folderParent: URL

  private struct State {
    var givesFilesAway = false
    var adjustmentData: PHAdjustmentData?
    /// Made when a URL is first asked for.
    var folder: PrivateFolder?
    /// Where a rendered file may lie, the latest last.
    var rendered: [URL] = []
    var pairedVideo: URL?
  }

  /// For an edit of an asset.
  public init(contentEditingInput: PHContentEditingInput) {
    isVideo = contentEditingInput.mediaType == .video
    bases = contentEditingInput.bases
    folderParent = contentEditingInput.renderParent
    super.init()
  }

  /// For an edit of an asset that is created in the same change block; its files have been added to the request by now.
  public init(placeholderForCreatedAsset: PHObjectPlaceholder) {
    isVideo =
      ChangeCollector.current?.creation(ofAsset: placeholderForCreatedAsset.localIdentifier)?.resources
      .contains { $0.type == .video } ?? false
    bases = []
    folderParent = PHPhotoLibrary.shared().store.incomingURL
    super.init()
  }

  /// Mandatory.
  public var adjustmentData: PHAdjustmentData? {
    get { state.withLock(\.adjustmentData) }
    set { state.withLock { $0.adjustmentData = newValue } }
  }

  /// Whether nobody writes to the rendered files any more, nor needs them after the commit: they go into the library as they are.
  var givesFilesAway: Bool {
    get { state.withLock(\.givesFilesAway) }
    set { state.withLock { $0.givesFilesAway = newValue } }
  }

  /// Where to write the rendered file.
  public var renderedContentURL: URL { url(for: isVideo ? .quickTimeMovie : .jpeg) }

  /// JPEG, or a QuickTime movie.
  public var defaultRenderedContentType: UTType? { supportedRenderedContentTypes.first }

  /// What a rendered file may be; PNG keeps transparent parts.
  public var supportedRenderedContentTypes: [UTType] {
    isVideo ? [.quickTimeMovie, .mpeg4Movie] : [.jpeg, .heic, .png]
  }

  /// Where to write a rendered file of a type; throws `invalidResource` for one that is not supported.
  public func renderedContentURL(for type: UTType) throws -> URL {
    guard supportedRenderedContentTypes.contains(type) else {
      let names = supportedRenderedContentTypes.map(\.identifier).joined(separator: ", ")
      throw PHPhotosError(.invalidResource, "\(type.identifier): an edit is rendered as one of \(names)")
    }
    return url(for: type)
  }

  /// Where the movie of an edited Live Photo is written; without it the edited asset is a still.
  package var renderedPairedVideoURL: URL {
    state.withLock { state in
      let url = folder(&state).appendingPathComponent("FullSizeRender.mov")
      state.pairedVideo = url
      return url
    }
  }

  private func url(for type: UTType) -> URL {
    state.withLock { state in
      // PhotoKit's own name, which many programs know.
      let name = "FullSizeRender." + (type == .jpeg ? "jpg" : type.preferredFilenameExtension ?? "")
      let url = folder(&state).appendingPathComponent(name)
      state.rendered.removeAll { $0 == url }
      state.rendered.append(url)
      return url
    }
  }

  private func folder(_ state: inout State) -> URL {
    let folder = state.folder ?? PrivateFolder(in: folderParent)
    state.folder = folder
    return folder.url
  }

  /// What was written: of several files that of the type asked for last.
  var renderedFile: URL? {
    state.withLock(\.rendered).last { FileManager.default.fileExists(atPath: $0.path) }
  }

  func removeFiles() { state.withLock { $0 = State() } }

  var renderedPairedVideo: URL? {
    state.withLock(\.pairedVideo).flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
  }
}

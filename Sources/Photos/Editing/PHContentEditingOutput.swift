import Foundation
internal import LibraryStore
import Synchronization
import UniformTypeIdentifiers

/// The output of an edit: a rendered file, and the adjustment data that describes the edit.
///
///     let output = PHContentEditingOutput(contentEditingInput: input)
///     output.adjustmentData = PHAdjustmentData(formatIdentifier: …, formatVersion: …, data: …)
///     try jpeg.write(to: output.renderedContentURL)
///     try await library.performChanges {
///       PHAssetChangeRequest(for: asset).contentEditingOutput = output
///     }
///
/// - Write the file in full size and upright: a JPEG unless you use another type's URL, or a
///   QuickTime movie for a video.
/// - A picture with an EXIF orientation other than 1 is displayed in that orientation.
///   `losslesslyTurnedImageData` and `PhotoEdit` may write one, so a program that reads renders has
///   to apply it.
/// - File and data must exist when the change block is committed. Otherwise it fails with
///   `invalidResource`, and nothing is changed.
/// - The files are in a folder that is removed with the output, so keep the output until the change
///   is committed. The folder is on the library's disk, below `incoming`. Folders of killed
///   processes are removed later.
/// - Any thread may use it.
public final class PHContentEditingOutput: NSObject, @unchecked Sendable {
  // The state is guarded by a lock.

  private let state = Mutex(State())
  private let isVideo: Bool
  /// The files that the edit was applied to, if they are no originals. They are needed to resume
  /// the edit.
  let bases: [EditBase]
  private let folderParent: URL

  private struct State {
    var allowsLinking = false
    var adjustmentData: PHAdjustmentData?
    /// The folder, which is made when a URL is first requested.
    var folder: PrivateFolder?
    /// The URLs of rendered files, the latest last. A file need not exist.
    var rendered: [URL] = []
    var pairedVideo: URL?
  }

  /// Makes an output for an edit of an asset.
  public init(contentEditingInput: PHContentEditingInput) {
    isVideo = contentEditingInput.mediaType == .video
    bases = contentEditingInput.bases
    folderParent = contentEditingInput.renderParent
    super.init()
  }

  /// Makes an output for an edit of an asset that the same change block creates. Add the asset's
  /// files to its request first.
  public init(placeholderForCreatedAsset: PHObjectPlaceholder) {
    isVideo =
      ChangeCollector.current?.creation(ofAsset: placeholderForCreatedAsset.localIdentifier)?.resources
      .contains { $0.type == .video } ?? false
    bases = []
    folderParent = PHPhotoLibrary.shared().store.incomingURL
    super.init()
  }

  /// The description of the edit, which is required.
  public var adjustmentData: PHAdjustmentData? {
    get { state.withLock(\.adjustmentData) }
    set { state.withLock { $0.adjustmentData = newValue } }
  }

  /// Whether the rendered files are neither written again nor needed after the commit, so that the
  /// library may link them instead of copying them.
  var allowsLinking: Bool {
    get { state.withLock(\.allowsLinking) }
    set { state.withLock { $0.allowsLinking = newValue } }
  }

  /// The URL to which the render is written.
  public var renderedContentURL: URL { url(for: isVideo ? .quickTimeMovie : .jpeg) }

  /// JPEG for a picture, QuickTime for a movie.
  public var defaultRenderedContentType: UTType? { supportedRenderedContentTypes.first }

  /// The types that a rendered file may have. PNG keeps transparent parts.
  public var supportedRenderedContentTypes: [UTType] {
    isVideo ? [.quickTimeMovie, .mpeg4Movie] : [.jpeg, .heic, .png]
  }

  /// Returns the URL for a rendered file of a type. Throws `invalidResource` if the type is not
  /// supported.
  public func renderedContentURL(for type: UTType) throws -> URL {
    guard supportedRenderedContentTypes.contains(type) else {
      let names = supportedRenderedContentTypes.map(\.identifier).joined(separator: ", ")
      throw PHPhotosError(.invalidResource, "\(type.identifier): an edit is rendered as one of \(names)")
    }
    return url(for: type)
  }

  /// The URL for the movie of an edited Live Photo. Without that file the edited asset is a still.
  package var renderedPairedVideoURL: URL {
    state.withLock { state in
      let url = folder(&state).appendingPathComponent("FullSizeRender.mov")
      state.pairedVideo = url
      return url
    }
  }

  private func url(for type: UTType) -> URL {
    state.withLock { state in
      // The name is PhotoKit's own, which many programs expect.
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

  /// The rendered file; of several, the one whose URL was requested last.
  var renderedFile: URL? {
    state.withLock(\.rendered).last { FileManager.default.fileExists(atPath: $0.path) }
  }

  func removeFiles() { state.withLock { $0 = State() } }

  var renderedPairedVideo: URL? {
    state.withLock(\.pairedVideo).flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
  }
}

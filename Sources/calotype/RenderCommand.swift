import ArgumentParser
import Foundation
import Photos

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Write pictures of assets in any size and format.",
    discussion: """
      Writes each asset as it is shown, with its edit: upright, in sRGB, and with the date, place and camera \
      that the library shows. These may differ from the original's. A video is written as its poster. A RAW \
      file is written from its preview if that is large enough, and is developed otherwise.

      A picture is never enlarged, and no file is overwritten. If a file in the folder has the name, “ (2)” \
      is added to the new one, unless both have the same bytes.

      EXAMPLES
        calotype render 0BD5B4E2-… --size 1024 --to ~/Desktop
        calotype render 0BD5B4E2-… --size 1920x1080 --to wallpaper.webp
        calotype list --in Norway --json | calotype render --size 640 --to ~/site -
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case jpeg, heic, png, webp, avif, jxl

    init?(filename: String) {
      let pathExtension = (filename as NSString).pathExtension.lowercased()
      self.init(rawValue: pathExtension == "jpg" ? "jpeg" : pathExtension)
    }

    var ending: String { self == .jpeg ? ".jpg" : ".\(rawValue)" }
    var contentType: UTType? { UTType(filenameExtension: rawValue) }
  }

  @OptionGroup var options: LibraryOptions
  @Flag var version = AssetVersion.current
  @Option(
    help: ArgumentHelp(
      "The longer side in pixels, or a width and height to fit into; without it, the full size.",
      valueName: "side or WxH"))
  var size: String?
  @Option(help: ArgumentHelp("The format; without it, that of the file’s name, else jpeg.", valueName: "format"))
  var format: Format?
  @Option(
    help: ArgumentHelp("From 1 to 100, for jpeg, heic, webp, avif and jxl.", valueName: "number")) var quality = 92
  @Option(
    help: ArgumentHelp("A file, or a folder. A missing folder is created.", valueName: "path"),
    transform: { try GivenArguments.path($0) })
  var to: String
  @Flag(help: "Print one JSON object per line for each file.") var json = false
  @OptionGroup var named: AssetArguments

  func validate() throws {
    if let size, Self.box(size) == nil {
      throw ValidationError("--size takes pixels, such as 1024 or 1920x1080, not \(size)")
    }
    guard (1...100).contains(quality) else {
      throw ValidationError("--quality takes a number from 1 to 100, not \(quality)")
    }
    let pathExtension = (to as NSString).pathExtension
    if !namesFolder, fileFormat == nil, UTType(filenameExtension: pathExtension, conformingTo: .image) != nil {
      let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--to names a .\(pathExtension) file, but the formats are \(names)")
    }
    if let format, let named = fileFormat, named != format {
      throw ValidationError("--to names a \(named.rawValue) file, but --format is \(format.rawValue)")
    }
  }

  func run() throws {
    let library = try options.open()
    let assets = try named.assets(in: library)
    Interruption.watch()
    try library.checkIsElsewhere(to)
    guard fileFormat == nil || assets.count == 1 else {
      throw CommandError("\(to): \(assets.count.assets) need a folder, but this names a file")
    }
    let folder = try fileFormat == nil ? ExportFolder(path: to) : nil
    let parent = URL(fileURLWithPath: to).deletingLastPathComponent().path
    guard folder != nil || access(parent, F_OK) == 0 else { throw CommandError("\(parent): there is no such folder") }
    try AssetLoop(assets) { asset, _ in try render(asset, to: folder) }.finish("written")
  }

  /// Renders an asset. `folder` is `nil` if a file is named.
  private func render(_ asset: PHAsset, to folder: ExportFolder?) throws {
    let format = format ?? fileFormat ?? .jpeg
    guard let type = format.contentType else { throw CommandError("\(format.rawValue): this format can’t be written") }
    let data = try asset.renderedImageData(
      as: type, fitting: size.flatMap(Self.box), quality: Double(quality) / 100, version: version.imageVersion)
    let file: ExportedFile
    let url: URL
    if let folder {
      file = ExportedFile(stem: try asset.exportedStem, ending: format.ending, data: data)
      url = try folder.add([file])[0].url
    } else {
      (file, url) = (ExportedFile(stem: "", ending: "", data: data), URL(fileURLWithPath: to))
      let isWritten = try !FileManager.default.fileExists(atPath: url.path) && file.write(to: url)
      guard isWritten || file.hasBytes(ofFileAt: url) else {
        throw CommandError("\(to): a file with this name exists already")
      }
    }
    if json {
      try JSONLines.print(
        ExportedFileDescription(localIdentifier: asset.localIdentifier, path: url.path, bytes: file.byteCount))
    } else {
      try Output.write(url.path)
    }
  }

  /// The format of the named file, or `nil` if a folder is named.
  private var fileFormat: Format? { namesFolder ? nil : Format(filename: to) }

  private var namesFolder: Bool {
    var isFolder: ObjCBool = false
    return to.hasSuffix("/") || FileManager.default.fileExists(atPath: to, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func box(_ text: String) -> CGSize? {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(sides.count), let width = sides[0], width > 0, let height = sides[sides.count - 1],
      height > 0
    else { return nil }
    return CGSize(width: width, height: height)
  }
}

import ArgumentParser
import Foundation
import Photos
import PhotosServer

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Browse the library in a web browser.",
    discussion: """
      Prints a link that signs one browser in, within 15 minutes. If the output is a terminal and there is \
      a browser, opens the link in it. `calotype open` prints further links. The server accepts connections \
      of this machine only, and runs until Control-C.

      For other machines, run a proxy with TLS in front of the server, and give its address with \
      --public-url. The first browser sets the password, with the set-up code that the server prints. With \
      --insecure-http, nothing is encrypted: everybody in the network can read the password and see the \
      photos.

      If `calotype repair` replaces the library's database meanwhile, the server begins anew with it, and \
      browsers sign in again.

      EXAMPLES
        calotype serve --port 8080
        calotype serve --public-url https://photos.example --proxy 127.0.0.1
      """)

  @OptionGroup var options: LibraryOptions
  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address")) var host = "127.0.0.1"
  @Option(help: ArgumentHelp("The port to listen on; 0 chooses a free one.", valueName: "number")) var port = 2839
  @Option(help: ArgumentHelp("The address that browsers use, if it is not the server’s own.", valueName: "url"))
  var publicURL: String?
  @Option(
    help: ArgumentHelp(
      "The address of a proxy whose header X-Forwarded-For is trusted. Can be repeated.", valueName: "address"))
  var proxy: [String] = []
  @Flag(help: "Let other machines connect without encryption.") var insecureHTTP = false
  @Option(help: ArgumentHelp("The largest file that can be uploaded, such as 500M or 20G.", valueName: "size"))
  var maxUpload = "16G"
  @Flag(help: "Create the library if there is none.") var create = false
  @Flag(help: "Print the link without opening it.") var noOpen = false
  @Flag(help: "Stop a minute after the last picker of a program closed. Choose a free port if the usual one is in use.")
  var whilePicking = false
  @Option(help: ArgumentHelp("The process whose picked items are forgotten once it exits.", visibility: .hidden))
  var pickingProcess: Int?

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535, not \(port)")
    }
    if let publicURL, URL(string: publicURL) == nil {
      throw ValidationError("--public-url takes an address like https://photos.example, not \(publicURL)")
    }
    guard Self.byteCount(maxUpload) != nil else {
      throw ValidationError("--max-upload takes a size like 500M or 20G, not \(maxUpload)")
    }
  }

  func run() throws {
    let library = try options.open(create: create)
    let bar = ProgressLine()
    var configuration = PhotosServer.Configuration(
      host: host, port: port, webFolder: try Self.webFolder(), publicURL: publicURL.flatMap(URL.init(string:)),
      trustedProxies: proxy, allowsUnencrypted: insecureHTTP,
      largestUpload: Self.byteCount(maxUpload) ?? PhotosServer.Configuration.standardLargestUpload,
      movieProgress: { asset, share in
        bar.update(ProgressLine.State(ofConverting: asset, share))
        if share == 1 { bar.finish() }
      })
    configuration.endsAfterPicking = whilePicking
    configuration.pickingProcess = pickingProcess
    configuration.notice = { Output.writeToStderr("calotype: \($0)\n") }
    let opensLink = !noOpen && isatty(STDOUT_FILENO) == 1
    do { try serve(library, configuration, opensLink: opensLink) } catch let error as PhotosServerError
      where whilePicking && error.code == .addressInUse
    {
      configuration.port = 0
      try serve(library, configuration, opensLink: opensLink)
    }
  }

  private func serve(
    _ library: PHPhotoLibrary, _ configuration: PhotosServer.Configuration, opensLink: Bool
  ) throws {
    var (library, opensLink) = (library, opensLink)
    while true {
      do { return try serveOnce(library, configuration, opensLink: opensLink) } catch let error as PhotosServerError
        where error.code == .libraryReplaced
      {
        Output.writeToStderr("calotype: \(library.url.path): the database was replaced; the server begins anew\n")
        library = try options.open()
        opensLink = false
      }
    }
  }

  private func serveOnce(
    _ library: PHPhotoLibrary, _ configuration: PhotosServer.Configuration, opensLink: Bool
  ) throws {
    let server = PhotosServer(library: library, configuration: configuration)
    try AsyncWork.run {
      try await server.run { ready in
        // The server also runs if the output is closed.
        try? Output.write(Self.lines(ready, library))
        if opensLink, let link = ready.ownerLink { PhotosServer.open(link, ofLibraryAt: library.url) }
      }
    }
  }

  /// Converts a size with `K`, `M`, `G` or `T` for powers of a thousand; `nil` for other text.
  static func byteCount(_ text: String) -> Int? {
    let powers = ["K": 1, "M": 2, "G": 3, "T": 4]
    let power = powers[text.suffix(1).uppercased()]
    let digits = power == nil ? text[...] : text.dropLast()
    guard let number = Int(digits), number > 0, digits.allSatisfy(\.isNumber) else { return nil }
    let factor = (0..<(power ?? 0)).reduce(1) { product, _ in product * 1000 }
    let (size, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return isTooLarge ? nil : size
  }

  private static func lines(_ ready: PhotosServer.Announcement, _ library: PHPhotoLibrary) -> [String] {
    let address = (ready.ownerLink ?? ready.address).absoluteString
    var lines = ["\(library.url.lastPathComponent) is on \(address)"]
    if let problem = ready.problem { lines.append("Nobody new can sign in: \(problem)") }
    guard let code = ready.setUpCode else { return lines }
    return lines + ["The library has no password yet. A browser can set one with this code: \(code)"]
  }

  /// Returns the folder `Web/` beside the program or in a folder above it. In a build of the
  /// sources it is above.
  private static func webFolder() throws -> URL {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    var folder = program.deletingLastPathComponent()
    while folder.path != "/" {
      let web = folder.appendingPathComponent("Web")
      if FileManager.default.fileExists(atPath: web.appendingPathComponent("index.html").path) { return web }
      folder.deleteLastPathComponent()
    }
    throw CommandError("the folder Web of the web app is neither beside \(program.path) nor above it")
  }
}

extension ProgressLine.State {
  fileprivate init(ofConverting asset: PHAsset, _ share: Double) {
    let name = PHAssetResource.assetResources(for: asset).first?.originalFilename
    self.init(verb: "Converting \(name ?? asset.localIdentifier)")
    (files, totalFiles, unit) = (Int(share * 100), 100, "%")
  }
}

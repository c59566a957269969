import ArgumentParser
import Foundation
import Photos
import PhotosServer

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Browse the library in a web browser.",
    discussion: """
      Prints a link that signs one browser in, within 15 minutes; `calotype open` prints another one. Listens on this machine \
      only, until Control-C.

      For other machines, put a proxy with TLS in front, and name its address with --public-url. The first browser sets the \
      password, with the set-up code that is printed. Without encryption (--insecure-http), everybody in the network can read \
      the password and the photos along.

      EXAMPLES
        calotype serve --port 8080
        calotype serve --public-url https://photos.example --proxy 127.0.0.1
      """)

  @OptionGroup var options: LibraryOptions
  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address")) var host = "127.0.0.1"
  @Option(help: ArgumentHelp("The port to listen on; 0 takes any that is free.", valueName: "number")) var port = 2839
  @Option(help: ArgumentHelp("The address under which browsers reach the server.", valueName: "url"))
  var publicURL: String?
  @Option(help: ArgumentHelp("A proxy whose X-Forwarded-For is believed; can be repeated.", valueName: "address"))
  var proxy: [String] = []
  @Flag(help: "Let other machines connect without encryption.") var insecureHTTP = false
  @Flag(help: "Make the library if there is none.") var create = false

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535, not \(port)")
    }
    if let publicURL, URL(string: publicURL) == nil {
      throw ValidationError("--public-url takes an address like https://photos.example, not \(publicURL)")
    }
  }

  func run() throws {
    let library = try options.open(create: create)
    let bar = ProgressLine()
    let server = PhotosServer(
      library: library,
      configuration: .init(
        host: host, port: port, webFolder: try Self.webFolder(), publicURL: publicURL.flatMap(URL.init(string:)),
        trustedProxies: proxy, allowsUnencrypted: insecureHTTP,
        movieProgress: { asset, share in
          bar.update(ProgressLine.State(ofConverting: asset, share))
          if share == 1 { bar.finish() }
        }))
    try Blocking.run {
      try await server.run { ready in
        // The server also runs if the output is closed.
        try? Output.write(Self.lines(ready, library))
      }
    }
  }

  private static func lines(_ ready: PhotosServer.Announcement, _ library: PHPhotoLibrary) -> [String] {
    let address = (ready.ownerLink ?? ready.address).absoluteString
    let lines = ["\(library.url.lastPathComponent) is on \(address)"]
    guard let code = ready.setUpCode else { return lines }
    return lines + ["The library has no password yet. The set-up code, with which a browser can set it: \(code)"]
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

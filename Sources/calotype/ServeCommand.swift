import ArgumentParser
import Foundation
import Photos
import PhotosServer

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Browse the library in a web browser.",
    discussion: """
      Prints the address to open in a browser, with the token that lets it in: keep it from others. Each start has another one.
      Listens on this machine only, until Control-C. Any other address is refused as long as there are no accounts.

      EXAMPLE
        calotype serve --port 8080
      """)

  @OptionGroup var options: LibraryOptions
  @Option(help: ArgumentHelp("The loopback address to listen on.", valueName: "address")) var host = "127.0.0.1"
  @Option(help: ArgumentHelp("The port to listen on; 0 takes any that is free.", valueName: "number")) var port = 2839
  @Flag(help: "Make the library if there is none.") var create = false

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535, not \(port)")
    }
  }

  func run() throws {
    let library = try options.open(create: create)
    let bar = ProgressLine()
    let server = PhotosServer(
      library: library,
      configuration: .init(
        host: host, port: port, webFolder: try Self.webFolder(),
        movieProgress: { asset, share in
          bar.update(ProgressLine.State(ofConverting: asset, share))
          if share == 1 { bar.finish() }
        }))
    try Blocking.run {
      try await server.run { url in
        // The server also runs if the output is closed.
        try? Output.write("\(library.url.lastPathComponent) is on \(url.absoluteString)")
      }
    }
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

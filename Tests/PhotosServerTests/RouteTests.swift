import Photos
import Testing

@testable import PhotosServer

@Suite struct RouteTests {
  @Test(
    arguments: [
      ("/", .webFile(path: "index.html")), ("/app.js", .webFile(path: "app.js")),
      ("/elements/photo%2Dgrid.js", .webFile(path: "elements/photo-grid.js")), ("/api/library", .library),
      ("/api/days", .days), ("/api/assets", .assets), ("/api/assets/A-1", .asset(id: "A-1")),
      ("/renditions/A/v/grid", .picture(id: "A", version: "v", .grid)),
      ("/renditions/A/v/screen", .picture(id: "A", version: "v", .screen)),
      ("/renditions/A/v/full", .picture(id: "A", version: "v", .full)),
      ("/renditions/A/v/video", .movie(id: "A", version: "v")), ("/resources/A/0", .resource(id: "A", index: 0)),
      ("/api", .nothing), ("/api/", .nothing), ("/api/days/", .nothing), ("/api/assets/A/B", .nothing),
      ("/renditions/A/v", .nothing), ("/renditions/A/v/huge", .nothing), ("/renditions/A/v/grid/", .nothing),
      ("/resources/A", .nothing), ("/resources/A/-1", .nothing), ("/resources/A/x", .nothing),
      ("/resources/A/99999999999999999999", .nothing),
    ] as [(String, Route)])
  func `a path leads to`(path: String, route: Route) {
    #expect(Route(path: path[...]) == route)
  }

  @Test(arguments: [
    "/..", "/../secret.txt", "/elements/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E%2Fsecret.txt",
    "/..%2fsecret.txt", "/elements/%2e%2e/%2e%2e/secret.txt", "/..%5csecret.txt", "/..\\secret.txt", "/./index.html",
    "/.git/config", "//secret.txt", "//etc/passwd", "/%2fetc/passwd", "/index.html%00.js", "/elements/", "/%", "/%zz",
    "/%c0%ae%c0%ae/secret.txt", "", "secret.txt", "*",
  ])
  func `no path leads out of the web folder`(path: String) async throws {
    #expect(WebPath.file(of: path[...]) == nil)
    #expect(try await TestServer().ask(path).status == 404)
  }
}

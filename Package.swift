// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The settings of every target: Swift 6 mode, and in CI a warning is an error.
let settings: [SwiftSetting] =
  [.swiftLanguageMode(.v6)]
  + (ProcessInfo.processInfo.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

func module(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], linking libraries: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: ["TestSupport"] + dependencies, swiftSettings: settings,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// Returns a C library of Debian, with a module map and a shim header under `Sources/`.
func library(_ name: String, pkgConfig: String? = nil, debian: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

/// The modules with those of Apple's types that PhotoKit's API mentions.
let compatibility = [
  "AVFoundation", "CoreGraphics", "CoreImage", "CoreLocation", "CoreMedia", "ImageIO", "ItemProviding", "UIKit",
  "UniformTypeIdentifiers",
]

func compatible(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  module(name, dependencies, path: "Sources/Compatibility/\(name)")
}

/// Returns a product that only the program and the server need. Without the trait `Program`, its
/// package is not resolved.
func serving(_ name: String, package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Program"]))
}

/// Whether another package depends on this one. SwiftPM reads the manifest of a dependency first in
/// its repository, whose root is `/`, and then in a checkout, which shares the objects of SwiftPM's
/// own `repositories`. A folder named by `.package(path:)` looks like a clone.
let isDependency: Bool = {
  guard Context.packageDirectory != "/" else { return true }
  let sharedObjects = Context.packageDirectory + "/.git/objects/info/alternates"
  return ((try? String(contentsOfFile: sharedObjects, encoding: .utf8)) ?? "").contains("/repositories/")
}()

/// More of Apple's modules, each in a product of its own. No module is called `os` or `Combine`:
/// packages that look for these with `canImport`, such as ArgumentParser and GRDB, don't compile
/// then.
let furtherModules = ["CoreServices", "CoreTransferable", "MobileCoreServices", "OSLog", "CryptoKit"]

/// The modules that read, decode and write photos and movies.
let imaging: [Target.Dependency] = [
  "MediaMetadata", "ImageCoding", "ImageFilters", "MovieCoding", "Sandbox", "Imaging",
]

/// The programs under `Examples/`, each of which shows one thing.
let examples = [
  "AskForAccess", "LatestPhotos", "AlbumsAndFolders", "ChangeMetadata", "BrowsePhotos", "SegmentedBrowser",
  "AlbumPicker", "AddPhoto", "EditAlbums", "PickedPhotos", "TrackChanges", "LivePhotoVideo",
  "EditPhoto", "ScrollGrid", "PickPhotos",
]

let package = Package(
  name: "calotype",
  products: [
    .library(name: "Photos", targets: ["Photos"] + compatibility),
    .library(name: "PhotosUI", targets: ["PhotosUI"]),
    .library(name: "PhotosTesting", targets: ["PhotosTesting"]),
    .library(name: "PhotosTestingTraits", targets: ["PhotosTestingTraits"]),
    .executable(name: "calotype", targets: ["calotype"]),
    .executable(name: "calotype-worker", targets: ["calotype-worker"]),
  ] + furtherModules.map { .library(name: $0, targets: [$0]) },
  traits: [
    .trait(name: "Program", description: "The program calotype and its server, and the packages that they need."),
    .default(enabledTraits: isDependency ? [] : ["Program"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    // `VipsLibrary` loads libvips. Its pkg-config file would link it and a hundred other libraries.
    library("CVips", pkgConfig: "glib-2.0", debian: "libvips-dev"),
    library("CHeif", pkgConfig: "libheif", debian: "libheif-dev"),
    library("CHevc", pkgConfig: "libde265", debian: "libde265-dev"),
    library("CDav1d", pkgConfig: "dav1d", debian: "libdav1d-dev"),
    library("CTurboJPEG", pkgConfig: "libturbojpeg", debian: "libturbojpeg0-dev"),
    library("CRaw", debian: "libraw-dev"),
    library("CLcms", pkgConfig: "lcms2", debian: "liblcms2-dev"),
    library("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
    library("CBrotli", pkgConfig: "libbrotlidec", debian: "libbrotli-dev"),
    .systemLibrary(name: "CProcess"),

    compatible("CoreLocation"),
    compatible("UniformTypeIdentifiers"),
    compatible("CoreGraphics", ["_Testing_CoreGraphics"]),
    compatible("ImageIO", ["CoreGraphics", "Imaging"]),
    compatible("CoreMedia"),
    compatible("AVFoundation", ["CoreImage", "CoreMedia", "Imaging", "MovieCoding"]),
    compatible("CoreImage", ["CoreGraphics", "ImageFilters", "ImageIO", "Imaging", "_Testing_CoreImage"]),
    compatible("ItemProviding", ["UniformTypeIdentifiers"]),
    compatible("UIKit", ["CoreImage", "Imaging", "ItemProviding", "_Testing_UIKit"]),
    compatible("CoreServices", ["UniformTypeIdentifiers"]),
    compatible("CoreTransferable", ["ItemProviding"]),
    compatible("MobileCoreServices", ["CoreServices"]),
    compatible("OSLog", [.product(name: "Logging", package: "swift-log")]),
    compatible("CryptoKit", [.product(name: "Crypto", package: "swift-crypto")]),
    compatible("_Testing_CoreGraphics"),
    compatible("_Testing_CoreImage"),
    compatible("_Testing_UIKit"),
    // Facts that several modules need. It depends on none of them.
    module("Essentials"),
    module("MediaMetadata", ["Essentials", "CProcess", "CZlib", "CBrotli"]),
    module(
      "ImageCoding",
      ["MediaMetadata", "CVips", "CHeif", "CHevc", "CDav1d", "CTurboJPEG", "CRaw", "CLcms", "CProcess"]),
    module("ImageFilters", ["ImageCoding"]),
    module("Sandbox", ["CProcess"]),
    module("MovieCoding", ["Essentials", "ImageCoding", "MediaMetadata", "Sandbox", "CProcess"]),
    module("Imaging", ["ImageCoding", "MediaMetadata", "MovieCoding", "Sandbox", "CHeif"]),
    module(
      "LibraryStore",
      [
        "Essentials", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    // `calotype-worker` is not linked. The dependency builds it beside the client's own program.
    module(
      "Photos",
      ["Essentials", "Imaging", "MovieCoding", "Sandbox", "LibraryStore", "calotype-worker"]
        + compatibility.map { .init(stringLiteral: $0) }),
    module(
      "PhotosUI",
      [
        "Photos", "AVFoundation", "CoreTransferable", "ItemProviding", "MediaMetadata", "UIKit",
        "UniformTypeIdentifiers",
      ]),
    module("Importing", ["Photos"]),
    module("PhotosJSON", ["Essentials", "Photos"]),
    module(
      "PhotosServer",
      [
        "Essentials", "Photos", "PhotosUI", "Importing", "PhotosJSON", "CZlib",
        serving("Hummingbird", package: "hummingbird"),
        serving("HummingbirdCore", package: "hummingbird"),
        serving("HTTPTypes", package: "swift-http-types"), serving("Logging", package: "swift-log"),
        serving("Crypto", package: "swift-crypto"), serving("CryptoExtras", package: "swift-crypto"),
        serving("NIOCore", package: "swift-nio"),
        serving("NIOHTTP1", package: "swift-nio"), serving("NIOPosix", package: "swift-nio"),
        serving("ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // The pictures of `make demo` and of sample media.
    module("DemoMedia", ["ImageCoding"]),
    module("PhotosTesting", ["Photos", "Imaging", "DemoMedia", "LibraryStore"]),
    // A separate module, because programs that use `PhotosTesting` must not link Testing.
    module("PhotosTestingTraits", ["PhotosTesting"]),
    .executableTarget(
      name: "calotype",
      dependencies: [
        "Photos", "Importing", "PhotosJSON", "PhotosServer", "PhotosTesting",
        serving("ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),

    .executableTarget(name: "calotype-worker", dependencies: ["Imaging"], swiftSettings: settings),
    .executableTarget(
      name: "library-benchmark", dependencies: ["Photos"], path: "Benchmarks/LibraryBenchmark", swiftSettings: settings),
    .executableTarget(
      name: "edit-benchmark", dependencies: ["AVFoundation", "CoreImage"], path: "Benchmarks/EditBenchmark",
      swiftSettings: settings),
    .executableTarget(
      name: "rendition-benchmark", dependencies: ["ImageCoding", "Imaging"], path: "Benchmarks/RenditionBenchmark",
      swiftSettings: settings),

    .executableTarget(
      name: "worker-benchmark", dependencies: ["Imaging"], path: "Benchmarks/WorkerBenchmark", swiftSettings: settings),
    .executableTarget(
      name: "request-benchmark", dependencies: ["Photos"], path: "Benchmarks/RequestBenchmark", swiftSettings: settings),

    module("TestSupport", ["CProcess"], path: "Tests/TestSupport"),
    // Some tests compare with libvips, and call functions of it that Calotype doesn't.
    tests("ImagingTests", imaging + ["calotype-worker"], linking: ["vips", "gobject-2.0"]),
    tests("LibraryStoreTests", ["LibraryStore", .product(name: "GRDB", package: "GRDB.swift")]),
    tests(
      "CompatibilityTests",
      ["Photos", "PhotosTesting"] + imaging + furtherModules.map { .init(stringLiteral: $0) }),
    tests("PhotosTests", ["Photos", "PhotosTesting", "LibraryStore"] + imaging),
    tests("PhotosUITests", ["PhotosUI", "PhotosTesting"] + imaging),
    // Files as programs for iOS have them. Most such programs are compiled in Swift 5 mode, with
    // warnings, so a warning is no error here.
    .testTarget(
      name: "PortedPickersTests",
      dependencies: [
        "TestSupport", "Photos", "PhotosUI", "PhotosTesting", "PhotosTestingTraits", "CoreTransferable",
        "MobileCoreServices",
      ],
      path: "Tests/PortedPickers", swiftSettings: [.swiftLanguageMode(.v5)]),
    tests("PhotosTestingTests", ["PhotosTesting", "PhotosTestingTraits", "PhotosUI"] + imaging),
    tests("ImportingTests", ["Importing", "PhotosTesting"]),
    module("ProgramTesting", path: "Tests/ProgramTesting"),
    tests("CalotypeTests", ["PhotosTesting", "ProgramTesting", "calotype"] + imaging),
    .executableTarget(
      name: "library-stressor", dependencies: ["Photos"], path: "Tests/LibraryStressor", swiftSettings: settings),
    // Shows pickers as tests say.
    .executableTarget(
      name: "picker-driver", dependencies: ["PhotosUI"], path: "Tests/PickerDriver", swiftSettings: settings),
    // Makes the library of the browser tests.
    .executableTarget(
      name: "fixture-library", dependencies: ["Photos", "Importing", "PhotosTesting"], path: "Tests/FixtureLibrary",
      swiftSettings: settings),
    tests(
      "StressTests",
      ["Photos", "PhotosTesting", "ProgramTesting", "calotype", "calotype-worker", "library-stressor"] + imaging),
    tests(
      "PhotosServerTests",
      ["PhotosJSON", "PhotosServer", "PhotosTesting", serving("NIOEmbedded", package: "swift-nio")]),
    tests("ExamplesTests", ["PhotosTesting", "ProgramTesting"] + examples.map { .target(name: $0) }),
  ]
    + examples.map {
      .executableTarget(
        name: $0, dependencies: ["Photos"] + ($0 == "PickPhotos" ? ["PhotosUI"] : []), path: "Examples/\($0)",
        swiftSettings: settings)
    }
)

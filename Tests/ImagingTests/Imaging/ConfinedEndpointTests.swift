import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

extension ProfileParsingTests {
  /// Asks each endpoint about a file of each format, in the sizes at which the code takes another
  /// way. A confined worker may do less than this process, and has to answer the same.
  @Suite struct ConfinedEndpointTests {
    struct Case: Sendable, CustomTestStringConvertible {
      var type: String
      var width: Int
      var height: Int
      var channels = 3
      var hasProfile = false
      var isTurned = false

      var testDescription: String {
        "\(type) \(width)×\(height)\(channels == 4 ? " with alpha" : "")\(hasProfile ? " with a profile" : "")"
          + (isTurned ? ", turned" : "")
      }
    }

    private static let small: [Case] =
      [
        "public.jpeg", "public.png", "org.webmproject.webp", "public.heic", "public.avif", "public.tiff",
        "com.compuserve.gif",
        "public.jpeg-xl",
      ].flatMap { [Case(type: $0, width: 1, height: 1), Case(type: $0, width: 700, height: 500)] }
      + ["public.png", "org.webmproject.webp", "public.tiff"].map { Case(type: $0, width: 64, height: 48, channels: 4) }
      + ["public.jpeg", "public.png", "public.heic"].map { Case(type: $0, width: 64, height: 48, hasProfile: true) }

    /// From eight million pixels on, pictures are encoded in bands, and decoders use threads.
    private static let large: [Case] =
      [
        "public.jpeg", "public.png", "public.heic", "public.avif", "public.tiff", "org.webmproject.webp",
        "public.jpeg-xl",
      ].map { Case(type: $0, width: 4000, height: 2000) }
      + [Case(type: "public.png", width: 4000, height: 2000, isTurned: true)]

    /// A Display P3 profile with another date. Other tests count how often theirs is parsed, and
    /// this process keeps what it has parsed.
    private static let profile: [UInt8] = (ColoredPicture.displayP3 ?? []).enumerated().map { $0 == 25 ? 201 : $1 }

    @Test(arguments: small + large) func `a confined worker answers as this process does`(_ tested: Case) throws {
      let pixels = Sample.quadrants(tested.width, tested.height, channels: tested.channels)
      let exif = tested.isTurned ? EXIFBuilder(orientation: 6).bytes : nil
      let data =
        tested.hasProfile
        ? try encode(pixels, as: tested.type, quality: 90, carrying: CarriedMetadata(profile: Self.profile))
        : try encode(pixels, as: tested.type, quality: 90, exif: exif)
      try withPool { try compare(TemporaryFolder().file(data), expecting: tested.type, $0) }
    }

    @Test(arguments: SampleFiles.all.map(\.name))
    func `a confined worker answers as this process does for headers without a picture`(name: String) throws {
      let bytes = try #require(SampleFiles.all.first { $0.name == name }).bytes
      try withPool {
        try compare(TemporaryFolder().file(Data(bytes), named: String(name.map { $0.isLetter ? $0 : "_" })), $0)
      }
    }

    @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"), .enabled(if: Soak.isOn, Soak.reason))
    func `a confined worker answers as this process does for every real file`() throws {
      let corpus = try #require(corpus)
      let names = FileManager.default.enumerator(atPath: corpus)?.compactMap { $0 as? String } ?? []
      #expect(names.count > 100)
      try withPool { pool in
        for name in names.sorted() {
          if let file = try? MediaFile(path: "\(corpus)/\(name)") { try compare(file, pool) }
        }
      }
    }

    private func withPool(_ body: (WorkerPool) throws -> Void) throws {
      let pool = try TestWorkers.pool()
      defer { pool.end() }
      try body(pool)
      #expect(pool.latestEnds.isEmpty)
    }

    private func compare(_ file: MediaFile, expecting type: String? = nil, _ pool: WorkerPool) throws {
      let limits = DecodingLimits(pixels: DecodingLimits.standard.pixels, seconds: 60)
      compare(ReadMetadata(machineTimeZone: .gmt), file, pool)
      compare(ReadMetadata(machineTimeZone: .gmt, readsOnlyTypeAndDate: true), file, pool)
      compare(ReadProperties(), file, pool)
      compare(ReadThumbnail(limits: limits), file, pool)
      for turn in [Turn(quarterTurns: 1), Turn(isMirrored: true)] { compare(TurnJPEG(turn: turn), file, pool) }
      guard let metadata = try? MediaMetadata(parsing: file, machineTimeZone: .gmt), metadata.type.kind == .image else {
        #expect(type == nil)
        return
      }
      if let type { #expect(metadata.type.uniformTypeIdentifier == type) }
      for kinds: Set<RenditionKind> in [[], [.grid], [.screen], [.full], [.grid, .screen, .full]] {
        compare(MakeRenditions(metadata: metadata, kinds: kinds, limits: limits), file, pool)
      }
      for request in [PictureRequest(.whole), PictureRequest(.fitting(width: 200, height: 200))] {
        compare(MakePicture(metadata: metadata, request: request, limits: limits), file, pool)
      }
      compare(DecodeInOwnColors(metadata: metadata, limits: limits), file, pool)
      compare(
        CarryMetadata(metadata: metadata, changes: [], size: PixelSize(width: 40, height: 30), keepsGeometry: false),
        file,
        pool)
      if let own = try? DecodeInOwnColors(metadata: metadata, limits: limits).perform(on: file), own.profile != nil {
        for target in [nil, ColoredPicture.displayP3] {
          let conversion = ConvertColors(of: own, to: target)
          compare(conversion, try MediaFile(data: conversion.content(of: own, to: target), name: "an image"), pool)
        }
      }
    }

    private func compare<Tested: Endpoint>(_ endpoint: Tested, _ file: MediaFile, _ pool: WorkerPool)
    where Tested.Answer: Equatable {
      let here = Result { () throws(ImagingError) in try endpoint.perform(on: file) }
      let there = Result { () throws(ImagingError) in try endpoint.answer(on: file, in: pool) }
      // The answers may be long.
      let isSame = here == there
      #expect(
        isSame, "\(Tested.self) of \(file.name): \(Self.failure(here)), and from a worker: \(Self.failure(there))")
    }

    private static func failure<Answer>(_ result: Result<Answer, ImagingError>) -> String {
      if case .failure(let error) = result { "\(error.code): \(error.reason)" } else { "an answer" }
    }
  }
}

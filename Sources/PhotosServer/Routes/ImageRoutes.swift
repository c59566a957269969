import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// Answers requests for images of any size, as `PHImageManager` delivers them.
///
/// The making of an image ends when its client leaves.
struct ImageRoutes: Sendable {
  let inFlight: BytesInFlight
  private let work = PictureWork()

  init(inFlight: BytesInFlight) { self.inFlight = inFlight }

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("api/v1/images", post: { request, context in try await image(request, context) })
    routes.endpoint(
      "api/v1/filters", get: { _, _ in Response(json: FiltersAnswer(), [.cacheControl: "private, no-store"]) })
    routes.endpoint(
      "api/v1/filters/:filter/lattice", get: { _, context in try await lattice(context.parameter("filter")) })
  }

  private func lattice(_ name: Substring) async throws -> Response {
    guard let filter = PhotoEdit.Filter(rawValue: String(name)) else {
      throw Failure(.notFound, "there is no filter \(name)")
    }
    let bytes = try await Blocking.run { try filter.lattice() }
    return Response(
      status: .ok, headers: [.contentType: "application/octet-stream", .cacheControl: "private, no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private func image(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let wish = try await request.json(ImageBody.self).wish()
    let asset = try await Blocking.run { try PHAsset.withID(wish.asset[...], in: library) }
    try wish.checkSize(of: asset)
    let place = try work.begin(for: context.requireAskerName())
    if wish.isOpportunistic { return parts(wish, of: asset, place, request, context) }
    let image = try await context.keepingAccess(to: asset.uuid) {
      try await context.whileClientStays {
        var last: Result<EncodedImage, Failure>?
        for await image in images(wish, of: asset, place) { last = image }
        guard let last else { throw Failure(.serviceUnavailable, "the request for the image was interrupted") }
        return try last.get()
      }
    }
    return Response(
      status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "private, no-store"],
      body: ResponseBody(contentLength: image.bytes.readableBytes) { [inFlight] writer in
        defer { withExtendedLifetime(place) {} }
        var check = PermissionCheck(by: context.time)
        try await inFlight.write(image.bytes, to: &writer, context) {
          try await check { try await context.checkAccess(to: asset.uuid) }
        }
        try await writer.finish(nil)
      })
  }

  /// Answers with each image as soon as it is there: a degraded one first, if there is one.
  private func parts(
    _ wish: ImageWish, of asset: PHAsset, _ place: PictureWork.Place, _ request: Request, _ context: ServerContext
  ) -> Response {
    let boundary = "image-\(UUID().uuidString)"
    @Sendable func write(to writer: inout any ResponseBodyWriter) async throws {
      let library = try context.requireLibrary()
      var check = PermissionCheck(by: context.time)
      for await image in images(wish, of: asset, place) {
        try await context.checkAccess(to: asset.uuid)
        try await writer.write(ByteBuffer(string: "--\(boundary)\r\n"))
        switch image {
        case .success(let image):
          try await writer.write(
            ByteBuffer(
              string: "Content-Type: image/jpeg\r\nContent-Length: \(image.bytes.readableBytes)\r\n"
                + "X-Degraded: \(image.isDegraded)\r\n\r\n"))
          try await inFlight.write(image.bytes, to: &writer, context) {
            try await check { try await context.checkAccess(to: asset.uuid) }
          }
        case .failure(let failure):
          // The status has been sent.
          let failure = library.client == nil ? failure : failure.concealing(library.url.path)
          try await writer.write(
            ByteBuffer(string: "Content-Type: text/plain; charset=utf-8\r\n\r\n\(failure.message)"))
        }
        try await writer.write(ByteBuffer(string: "\r\n"))
      }
      try await writer.write(ByteBuffer(string: "--\(boundary)--\r\n"))
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [.contentType: "multipart/mixed; boundary=\(boundary)", .cacheControl: "private, no-store"],
      body: ResponseBody { writer in
        try await context.whileClientStays { try await write(to: &writer) }
      })
  }

  /// Makes the images of a request. They are encoded before the client takes them, so that a slow
  /// client keeps nobody waiting.
  private func images(
    _ wish: ImageWish, of asset: PHAsset, _ place: PictureWork.Place
  ) -> AsyncStream<Result<EncodedImage, Failure>> {
    AsyncStream { continuation in
      let making = Task { [work] in
        defer { withExtendedLifetime(place) {} }
        do {
          try await work.run {
            for await image in try await Blocking.run({ wish.images(of: asset) }) {
              continuation.yield(.success(try await image.encoded()))
            }
          }
        } catch { continuation.yield(.failure(Failure(error))) }
        continuation.finish()
      }
      continuation.onTermination = { _ in making.cancel() }
    }
  }
}

/// An image that a request has delivered, or the reason that there is none.
private struct ImageDelivery: Sendable {
  var image: UIImage?
  var isDegraded: Bool
  var failure: Failure?

  func encoded() async throws -> EncodedImage {
    try await Blocking.run {
      if let failure { throw failure }
      guard let data = image?.jpegData(compressionQuality: 0.9) else {
        throw Failure(.unprocessableContent, "there is no image of this asset")
      }
      return EncodedImage(bytes: ByteBuffer(bytes: data), isDegraded: isDegraded)
    }
  }
}

/// A JPEG of an image.
private struct EncodedImage: Sendable {
  var bytes: ByteBuffer
  var isDegraded: Bool
}

/// The body of a request for an image. Its keys are named after PhotoKit's.
private struct ImageBody: Decodable {
  struct Part: Decodable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  var asset: String
  var width: Double?
  var height: Double?
  var contentMode: String?
  var version: String?
  var deliveryMode: String?
  var resizeMode: String?
  var normalizedCropRect: Part?

  func wish() throws -> ImageWish {
    var wish = ImageWish(asset: asset)
    if width != nil || height != nil {
      wish.size = CGSize(width: try side(width, "width"), height: try side(height, "height"))
    }
    wish.contentMode = try value(
      contentMode, of: "contentMode", among: ["aspectFit": .aspectFit, "aspectFill": .aspectFill])
    wish.version = try value(
      version, of: "version", among: ["current": .current, "unadjusted": .unadjusted, "original": .original])
    wish.deliveryMode = try value(
      deliveryMode, of: "deliveryMode",
      among: ["highQualityFormat": .highQualityFormat, "fastFormat": .fastFormat, "opportunistic": .opportunistic])
    wish.resizeMode = try value(resizeMode, of: "resizeMode", among: ["none": .none, "fast": .fast, "exact": .exact])
    if let part = normalizedCropRect {
      let sides = [part.x, part.y, part.width, part.height, part.x + part.width, part.y + part.height]
      guard sides.allSatisfy({ (0...1).contains($0) }), part.width > 0, part.height > 0 else {
        throw Failure(.badRequest, "normalizedCropRect has to be a part of the picture, in fractions from 0 to 1")
      }
      guard wish.resizeMode == .exact else {
        throw Failure(.badRequest, "normalizedCropRect needs the resizeMode exact")
      }
      wish.crop = CGRect(x: part.x, y: part.y, width: part.width, height: part.height)
    }
    return wish
  }

  private func side(_ side: Double?, _ key: String) throws -> Double {
    guard let side, (1...16_384).contains(side) else {
      throw Failure(.badRequest, "\(key) has to be a number of pixels from 1 to 16384")
    }
    return side
  }

  /// Returns the value with a name, or PhotoKit's default without a name.
  private func value<Value>(_ name: String?, of key: String, among values: KeyValuePairs<String, Value>) throws
    -> Value?
  {
    guard let name else { return nil }
    guard let value = values.first(where: { $0.key == name })?.value else {
      throw Failure(.badRequest, "\(key) has to be one of \(values.map(\.key).joined(separator: ", "))")
    }
    return value
  }
}

/// A request for an image.
private struct ImageWish: Sendable {
  var asset: String
  var size = PHImageManagerMaximumSize
  var contentMode: PHImageContentMode?
  var version: PHImageRequestOptionsVersion?
  var deliveryMode: PHImageRequestOptionsDeliveryMode?
  var resizeMode: PHImageRequestOptionsResizeMode?
  var crop = CGRect.zero

  init(asset: String) { self.asset = asset }

  /// Whether several images may be delivered. One is, unless the request says so.
  var isOpportunistic: Bool { deliveryMode == .opportunistic }

  /// The limit of a side in pixels, for an image that is larger than its asset.
  static let largestSide = 4096.0

  /// Throws 422 for an exact image with a side above `largestSide` and above that of the asset. The
  /// image would show no more detail, and would take memory.
  func checkSize(of asset: PHAsset) throws {
    guard resizeMode == .exact, size != PHImageManagerMaximumSize else { return }
    for (key, side, ownSide) in [
      ("width", size.width, asset.pixelWidth), ("height", size.height, asset.pixelHeight),
    ] {
      let limit = max(Self.largestSide, Double(ownSide))
      guard side <= limit else {
        throw Failure(.unprocessableContent, "\(key): an exact image of this asset has at most \(Int(limit)) pixels")
      }
    }
  }

  func images(of asset: PHAsset) -> AsyncStream<ImageDelivery> {
    let options = PHImageRequestOptions()
    options.version = version ?? .current
    options.deliveryMode = deliveryMode ?? .highQualityFormat
    options.resizeMode = resizeMode ?? .fast
    options.normalizedCropRect = crop
    options.isNetworkAccessAllowed = true
    let manager = PHImageManager.default()
    return AsyncStream { continuation in
      let id = manager.requestImage(
        for: asset, targetSize: size, contentMode: contentMode ?? .aspectFit, options: options
      ) { image, info in
        let isDegraded = info?[PHImageResultIsDegradedKey] as? Bool == true
        let error = info?[PHImageErrorKey] as? any Error
        continuation.yield(ImageDelivery(image: image, isDegraded: isDegraded, failure: error.map { Failure($0) }))
        if !isDegraded || deliveryMode == .fastFormat { continuation.finish() }
      }
      continuation.onTermination = { if case .cancelled = $0 { manager.cancelImageRequest(id) } }
    }
  }
}

/// The steps of an edit that a person can choose, with their ranges.
private struct FiltersAnswer: Encodable {
  struct Adjustment: Encodable {
    var name: String
    var minimum: Double
    var maximum: Double

    init(_ name: String, _ range: ClosedRange<Double>) {
      self.name = name
      minimum = range.lowerBound
      maximum = range.upperBound
    }
  }

  var filters = PhotoEdit.Filter.allCases.map(\.rawValue)
  var adjustments = [
    Adjustment("straighten", PhotoEdit.straightenRange), Adjustment("exposure", PhotoEdit.exposureRange),
    Adjustment("contrast", PhotoEdit.amountRange), Adjustment("saturation", PhotoEdit.amountRange),
    Adjustment("warmth", PhotoEdit.amountRange),
  ]
}

import Foundation

/// What a worker is asked to do with a file.
///
/// A new kind of request is a case here, a line in `perform`, and a function for callers in `Decoding.swift`.
enum WorkerRequest: Sendable {
  case metadata(machineTimeZone: TimeZone)
  /// Its type and its own date alone, for a file whose headers nobody survives.
  case bareMetadata(machineTimeZone: TimeZone)
  /// Asks for the metadata of a picture's file.
  case properties
  case renditions(MediaMetadata, kinds: Set<RenditionKind>, DecodingLimits)
  case picture(MediaMetadata, PictureRequest, DecodingLimits)
  /// In full, in its own colours.
  case coloredPicture(MediaMetadata, DecodingLimits)
  /// With what has to be known of the file for it: what comes first is one question, and not two.
  case thumbnail(DecodingLimits)
  case carried(MediaMetadata, MetadataChanges, size: PixelSize, keepsGeometry: Bool)
  case turned(Turn)
  case converted(ColorConversion)
  /// Obeyed only by a worker that was started for a test.
  case misbehavior(Misbehavior)

  /// How long the worker may take; metadata is read in milliseconds.
  var limits: DecodingLimits {
    switch self {
    case .metadata, .bareMetadata, .properties, .carried, .turned: .standard
    case .renditions(_, _, let limits), .picture(_, _, let limits), .coloredPicture(_, let limits),
      .thumbnail(let limits):
      limits
    case .converted(let conversion): conversion.limits
    case .misbehavior(let misbehavior): misbehavior.limits
    }
  }

  /// Whether it takes a millisecond, or a few.
  var isBrief: Bool {
    switch self {
    case .metadata, .bareMetadata, .properties, .thumbnail, .carried: true
    case .renditions, .picture, .coloredPicture, .turned, .converted, .misbehavior: false
    }
  }

  /// Does it, in the worker.
  func perform(on file: MediaFile) throws(ImagingError) -> WorkerAnswer {
    switch self {
    case .metadata(let zone): return .metadata(try MediaMetadata(readingHere: file, machineTimeZone: zone))
    case .bareMetadata(let zone): return .metadata(try MediaMetadata(readingBare: file, machineTimeZone: zone))
    case .properties: return .properties(try PictureProperties(readingHere: file))
    case .renditions(let metadata, let kinds, let limits):
      return .renditions(try makeRenditionsHere(of: file, metadata: metadata, kinds: kinds, limits: limits))
    case .picture(let metadata, let request, let limits):
      return .picture(try makePictureHere(of: file, metadata: metadata, request, limits: limits))
    case .coloredPicture(let metadata, let limits):
      return .coloredPicture(try decodeInOwnColorsHere(file, metadata: metadata, limits: limits))
    case .thumbnail(let limits):
      let thumbnail = try embeddedThumbnailHere(of: file, limits: limits)
      return thumbnail.map(WorkerAnswer.picture) ?? .nothing
    case .carried(let metadata, let changes, let size, let keepsGeometry):
      return .carried(
        try CarriedMetadata(
          readingHere: file, metadata: metadata, changes: changes, width: size.width, height: size.height,
          keepsGeometry: keepsGeometry))
    case .turned(let turn): return .data(try rotateJPEGLosslesslyHere(file, by: turn))
    case .converted(let conversion): return .picture(try conversion.perform(on: file))
    case .misbehavior(let misbehavior): return .outcome(misbehavior.perform(on: file))
    }
  }
}

/// What a worker answers.
enum WorkerAnswer: Sendable {
  case metadata(MediaMetadata)
  case properties(PictureProperties)
  case renditions(RenditionSet)
  case picture(PixelBuffer)
  case coloredPicture(ColoredPicture)
  case carried(CarriedMetadata)
  /// A file.
  case data(Data)
  /// The file has none of it.
  case nothing
  case outcome(String)
}

/// A request as it is sent, beside the file's descriptor: all that the parent knows of the file and the worker may not ask for.
struct WorkerJob: Sendable {
  /// What phones and people call a file says something of it: "Screenshot".
  var name: String
  var byteCount: Int
  var modificationDate: Date
  var request: WorkerRequest
}

extension WorkerJob {
  init(_ request: WorkerRequest, _ file: MediaFile) {
    self.init(name: file.name, byteCount: file.byteCount, modificationDate: file.modificationDate, request: request)
  }
}

/// An answer as it is sent, in front of the bytes that it speaks of.
enum WorkerReply: Sendable {
  case metadata(MediaMetadata)
  case properties(PictureProperties)
  case renditions(
    [Part], placeholder: [UInt8], notes: [String], damage: String? = nil, originalServes: Bool = false)
  /// `address` is where the pixels are in the worker's memory. They don't follow: the parent reads them there, or asks for them.
  /// `profile` is that of a picture in its own colours.
  case picture(width: Int, height: Int, channels: Int, address: UInt64, profile: [UInt8]? = nil)
  /// How many bytes each block has that there is; they follow in the order of `CarriedMetadata.blocks`.
  case carried([Int?])
  case data(byteCount: Int)
  case nothing
  case outcome(String)
  case failure(ImagingError.Code, reason: String)

  /// A rendition without its bytes.
  struct Part: Sendable {
    var kind: RenditionKind
    var pixelWidth: Int
    var pixelHeight: Int
    var uniformTypeIdentifier: String
    var byteCount: Int
  }

  init(_ result: Result<WorkerAnswer, ImagingError>) {
    switch result {
    case .success(.metadata(let metadata)): self = .metadata(metadata)
    case .success(.properties(let properties)): self = .properties(properties)
    case .success(.renditions(let set)):
      let parts = set.renditions.map {
        Part(
          kind: $0.kind, pixelWidth: $0.pixelWidth, pixelHeight: $0.pixelHeight,
          uniformTypeIdentifier: $0.uniformTypeIdentifier, byteCount: $0.data.count)
      }
      self = .renditions(
        parts, placeholder: set.placeholder, notes: set.notes, damage: set.damage, originalServes: set.originalServes)
    case .success(.picture(let pixels)):
      self = .picture(width: pixels.width, height: pixels.height, channels: pixels.channels, address: 0)
    case .success(.coloredPicture(let picture)):
      let pixels = picture.pixels
      self = .picture(
        width: pixels.width, height: pixels.height, channels: pixels.channels, address: 0, profile: picture.profile)
    case .success(.carried(let carried)): self = .carried(carried.blocks.map { $0?.count })
    case .success(.data(let data)): self = .data(byteCount: data.count)
    case .success(.nothing): self = .nothing
    case .success(.outcome(let text)): self = .outcome(text)
    case .failure(let error): self = .failure(error.code, reason: error.reason)
    }
  }
}

/// What the parent says to a picture's address.
enum PixelDelivery: UInt8 {
  /// They have been read.
  case taken = 1
  /// The kernel does not let one process read another's memory.
  case wanted
}

extension WorkerAnswer {
  /// The bytes that follow the reply.
  func withPayload(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    switch self {
    case .metadata, .properties, .nothing, .outcome, .picture, .coloredPicture: break
    case .renditions(let set): for rendition in set.renditions { try rendition.data.withUnsafeBytes(body) }
    case .carried(let carried): for block in carried.blocks { try block?.withUnsafeBytes(body) }
    case .data(let data): try data.withUnsafeBytes(body)
    }
  }

  var payloadByteCount: Int {
    switch self {
    case .metadata, .properties, .nothing, .outcome, .picture, .coloredPicture: 0
    case .renditions(let set): set.renditions.reduce(0) { $0 + $1.data.count }
    case .carried(let carried): carried.blocks.reduce(0) { $0 + ($1?.count ?? 0) }
    case .data(let data): data.count
    }
  }
}

extension CarriedMetadata {
  /// What a file says; the profile is not from the file.
  var blocks: [[UInt8]?] { [exif, xmp, iptc, complete] }

  init(blocks: [[UInt8]?]) {
    self.init(exif: blocks[0], xmp: blocks[1], iptc: blocks[2])
    complete = blocks[3]
  }

  static let blockCount = 4
}

import Foundation
import ImageCoding
import MediaMetadata
import MovieCoding
import Sandbox

extension MediaMetadata {
  /// Reads a file's metadata from its headers: 64 KB of most files, and never more than 4 MB.
  ///
  ///     let metadata = try MediaMetadata(of: file)
  ///
  /// A file of a known type always has metadata, even if it is damaged: the readable values,
  /// `notes` about the others, and the file's own date if it contains none. Throws for a file of an
  /// unknown type, for one that can't be read from the disk, and for one that crashes its reader.
  ///
  /// A worker process reads the file if there is one. For movies that store some values only in
  /// their streams, `ffprobe` reads these. The duration is 0 if a movie's headers have none, like
  /// those of fragmented and live recordings. Only `measuredDuration` then reads the whole movie.
  public init(of file: MediaFile, machineTimeZone: TimeZone = .current) throws(ImagingError) {
    self = try ReadMetadata(machineTimeZone: machineTimeZone).answer(on: file)
    addFacts(ofStreamsIn: file, machineTimeZone: machineTimeZone)
  }

  /// The largest number of files that a worker reads at once.
  package static var mostFilesReadAtOnce: Int { mostFilesOfRequest }

  /// Returns the metadata of many files, in the order of the files. After a cancellation there are
  /// fewer answers than files.
  ///
  ///     let answers = MediaMetadata.read(from: files)
  ///
  /// A worker reads up to 32 files at once, which takes a fraction of the time of single requests.
  ///
  /// `ffprobe` may take seconds for a movie. `isCancelled` is therefore called before each file.
  /// Once it returns true, no further file is read.
  public static func read(
    from files: [MediaFile], machineTimeZone: TimeZone = .current, isCancelled: () -> Bool = { false }
  ) -> [Result<MediaMetadata, ImagingError>] {
    let answers = ReadMetadata(machineTimeZone: machineTimeZone).answers(on: files)
    var completed: [Result<MediaMetadata, ImagingError>] = []
    for (file, answer) in zip(files, answers) {
      guard !isCancelled() else { break }
      completed.append(
        answer.map {
          var metadata = $0
          metadata.addFacts(ofStreamsIn: file, machineTimeZone: machineTimeZone)
          return metadata
        })
    }
    return completed
  }

  /// Reads only the type and the file's own date, for a file whose headers crash their reader.
  ///
  ///     let metadata = try MediaMetadata(typeAndDateOf: file)
  public init(typeAndDateOf file: MediaFile, machineTimeZone: TimeZone = .current) throws(ImagingError) {
    self = try ReadMetadata(machineTimeZone: machineTimeZone, readsOnlyTypeAndDate: true).answer(on: file)
  }
}

struct ReadMetadata: EndpointOfManyFiles {
  var machineTimeZone: TimeZone
  /// Whether only the type and the file's own date are read.
  var readsOnlyTypeAndDate = false

  var isBrief: Bool { true }
  var usesDecoder: Bool { false }

  func perform(on file: MediaFile) throws(ImagingError) -> MediaMetadata {
    readsOnlyTypeAndDate
      ? try MediaMetadata(parsingTypeOf: file, machineTimeZone: machineTimeZone)
      : try MediaMetadata(parsing: file, machineTimeZone: machineTimeZone)
  }

  func read(_ message: MediaMetadata, _ reply: inout ReplyReader, on file: MediaFile) throws -> MediaMetadata {
    try reply.checkNoPayload()
    return try message.checked(for: file)
  }
}

extension ReadMetadata: MessagePart {
  static var blank: Self { Self(machineTimeZone: .gmt) }
  mutating func code(with coder: inout MessageCoder) {
    coder.part(&machineTimeZone)
    coder.part(&readsOnlyTypeAndDate)
  }
}

import Foundation

/// Why a file could not be read as a photo or a video; says the file's name and the reason.
public struct ImagingError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case cannotOpen, cannotRead
    /// The content is of no type that Calotype knows.
    case unknownType
    /// The content breaks its own format's rules.
    case damaged
    /// The picture would need more memory or time than one file may take.
    case tooLarge, tookTooLong
    /// The format is known, but there is no decoder for this kind of it.
    case unsupported
    case cannotEncode
    /// For the file that it is to be written to.
    case notEnoughSpace
    /// The process that decoded it did not survive it.
    case crashed
    /// A program that does the work (`ffmpeg`) is not installed.
    case missingProgram
  }

  public var code: Code
  public var file: String
  public var reason: String

  public init(_ code: Code, _ file: String, reason: String) {
    self.code = code
    self.file = file
    // Decoders' messages come in lines, and some repeat themselves.
    let lines = reason.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " } }
    // They may quote the file.
    self.reason = lines.joined(separator: "; ").cleaned(limit: Self.longestReason) ?? ""
  }

  /// Why a file can't be written, by the system's number for it.
  package init(writing path: String, _ number: Int32) {
    let isFull = number == ENOSPC || number == EDQUOT
    self.init(
      isFull ? .notEnoughSpace : .cannotEncode, path,
      reason: isFull ? Self.noSpace : String(cString: strerror(number)))
  }

  package static let noSpace = "no space is left on its disk"

  /// Enough for a person; a damaged file can make a decoder say the same a hundred times.
  private static let longestReason = 240

  public var description: String { "\(file): \(reason)" }
}

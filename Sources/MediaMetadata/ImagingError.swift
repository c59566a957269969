import Essentials
import Foundation

/// An error of reading or writing a photo or a movie, with the file's name and the reason.
public struct ImagingError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case cannotOpen, cannotRead
    /// The content has no type that Calotype knows.
    case unknownType
    /// The content breaks the rules of its own format.
    case damaged
    /// The picture would need more memory or time than one file may take.
    case tooLarge, tookTooLong
    /// The format is known, but there is no decoder for this variant.
    case unsupported
    case cannotEncode
    /// There is no space on the disk that the file is to be written to.
    case notEnoughSpace
    /// The worker process crashed while it decoded the file.
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
    // Decoders' messages have several lines, and some repeat themselves.
    let lines = reason.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " } }
    // A message may quote the file's content, and therefore it is cleaned.
    self.reason = lines.joined(separator: "; ").cleaned(limit: Self.longestReason) ?? ""
  }

  /// Creates the error for a file that can't be written, from the system's error number.
  package init(writing path: String, _ number: Int32) {
    let isFull = FullDisk.errorNumbers.contains(number)
    self.init(
      isFull ? .notEnoughSpace : .cannotEncode, path,
      reason: isFull ? FullDisk.reason : String(cString: strerror(number)))
  }

  /// The largest number of characters. A damaged file can make a decoder repeat a message a hundred
  /// times.
  private static let longestReason = 240

  public var description: String { "\(file): \(reason)" }
}

import ArgumentParser
import Essentials
import Foundation

/// The arguments of this process, byte for byte. In a `String`, bytes that are not UTF-8 become
/// replacement characters.
enum GivenArguments {
  static var bytes: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.map { argument in
      (0..<strlen(argument)).map { UInt8(truncatingIfNeeded: argument[$0]) }
    }
  }

  /// Returns the path of an option, with the home folder in place of a leading `~`. Throws if the
  /// path is not UTF-8, since the text would name another file.
  static func path(_ value: String) throws -> String {
    let isChanged = bytes.contains { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return (text == value || text.hasSuffix("=\(value)")) && !text.utf8.elementsEqual(bytes)
    }
    if isChanged { throw ValidationError("the path is not UTF-8; choose another one") }
    return AccountFolders.expandingHome(in: value)
  }
}

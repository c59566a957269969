import Foundation

/// This process's standard error, for text that the program's user has to see.
package enum StandardError {
  /// Writes text. Text that can't be written is lost, since there is no other place for it.
  package static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

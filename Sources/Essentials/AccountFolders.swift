import Foundation

/// The folders of the account that runs this process.
package enum AccountFolders {
  /// The home folder: `$HOME`, else the one that the system knows. Foundation asks only the system.
  package static var home: String { absolute("HOME") ?? NSHomeDirectory() }

  /// The folder of settings: `$XDG_CONFIG_HOME`, else `.config` in the home folder.
  package static var settings: String { absolute("XDG_CONFIG_HOME") ?? "\(home)/.config" }

  /// Returns a path from a person with the home folder in place of a leading `~`, as a shell does.
  ///
  /// In `--to=~/x`, some shells leave the `~` to the program. Foundation would take the home that
  /// the system knows, and in some of its functions none. It also replaces `~name`, so the result
  /// never begins with `~`.
  package static func expandingHome(in path: [UInt8]) -> [UInt8] {
    guard path.first == UInt8(ascii: "~") else { return path }
    let rest = path.dropFirst()
    if let next = rest.first, next != UInt8(ascii: "/") { return Array("./".utf8) + path }
    return Array(home.utf8) + rest
  }

  package static func expandingHome(in path: String) -> String {
    String(decoding: expandingHome(in: Array(path.utf8)), as: UTF8.self)
  }

  /// A relative path counts as none, by the XDG Base Directory Specification.
  private static func absolute(_ variable: String) -> String? {
    ProcessInfo.processInfo.environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

import Foundation

/// The folders of the account that runs this process.
package enum AccountFolders {
  /// The home folder: `$HOME`, else the one that the system knows. Foundation asks only the system.
  package static var home: String { absolute("HOME") ?? NSHomeDirectory() }

  /// The folder of settings: `$XDG_CONFIG_HOME`, else `.config` in the home folder.
  package static var settings: String { absolute("XDG_CONFIG_HOME") ?? "\(home)/.config" }

  /// A relative path counts as none, by the XDG Base Directory Specification.
  private static func absolute(_ variable: String) -> String? {
    ProcessInfo.processInfo.environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

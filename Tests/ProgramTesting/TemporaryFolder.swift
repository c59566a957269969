import Foundation

/// A folder for one test, removed with the last reference.
public final class TemporaryFolder: Sendable {
  public let url = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-\(UUID().uuidString)")

  public init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }

  public func write(_ data: Data, _ name: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  public subscript(_ name: String) -> String { url.appendingPathComponent(name).path }
}

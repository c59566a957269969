import Foundation

extension NSSortDescriptor {
  /// Sorts a fetch by a key of its objects.
  ///
  ///     options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
  ///
  /// Foundation declares this initialiser on Linux as unavailable; this one wins over it. The key travels in a key path.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \FetchKey.[key ?? ""], ascending: ascending)
  }
}

/// The root of the key paths that carry a fetch's keys.
public struct FetchKey {
  public subscript(key: String) -> Int { 0 }
}

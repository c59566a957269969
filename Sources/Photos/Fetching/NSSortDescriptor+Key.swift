import Foundation
internal import LibraryStore

extension NSSortDescriptor {
  /// Makes a descriptor that sorts a fetch by a key of its objects.
  ///
  ///     options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
  ///
  /// Foundation declares this initializer as unavailable on Linux; this one takes precedence. The
  /// comparator compares nothing. It stores the key in a probe that is passed to it.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \SortKeyProbe.name, ascending: ascending) { probe, _ in
      (probe as? SortKeyProbe)?.name = key ?? ""
      return .orderedSame
    }
  }

  /// Makes a descriptor for an optional property; `nil` comes before all values.
  ///
  ///     options.sortDescriptors = [
  ///       NSSortDescriptor(keyPath: \PHAsset.creationDate, ascending: false)
  ///     ]
  ///
  /// Foundation's own initializer on Linux takes only properties that are not optional.
  public convenience init<Root, Value: Comparable>(keyPath: KeyPath<Root, Value?>, ascending: Bool) {
    self.init(keyPath: keyPath, ascending: ascending) { first, second in
      switch (first as? Value, second as? Value) {
      case (nil, nil): .orderedSame
      case (nil, _): .orderedAscending
      case (_, nil): .orderedDescending
      case (let first?, let second?):
        first < second ? .orderedAscending : second < first ? .orderedDescending : .orderedSame
      }
    }
  }

  /// The key that the descriptor was made with; `nil` if it compares by a block or an unknown key
  /// path.
  public var key: String? { keyName }

  /// Returns the fetch key for objects of this kind.
  func key(for entity: PredicateEntity) throws -> FetchKey {
    guard let name = keyName else {
      throw PHPhotosError(
        .internalError,
        "Unsupported sort descriptor in fetch options: it compares by a block; use NSSortDescriptor(key:ascending:)")
    }
    return try FetchKey.key(named: name, for: entity)
  }

  private var keyName: String? {
    guard keyPath == \SortKeyProbe.name as AnyKeyPath else { return MacroKeyPaths.names[keyPath] }
    let probe = SortKeyProbe()
    _ = comparator(probe, probe)
    return probe.name
  }
}

/// An object in which a sort descriptor's comparator stores its key.
final class SortKeyProbe: NSObject {
  var name: String?
}

import Foundation
internal import LibraryStore

extension NSPredicate {
  /// A predicate for a fetch, written in the language of `docs/PREDICATES.md`.
  ///
  ///     options.predicate = NSPredicate(format: "mediaType == %d AND creationDate > %@", 1, lastWeek)
  ///
  /// Foundation declares this initialiser on Linux as unavailable; this one wins over it. A format that can't be read makes the fetch fail,
  /// and `PHFetchOptions.validate(for:)` throws why.
  public convenience init(format: String, _ arguments: Any...) {
    self.init(tree: PredicateParser.tree(format, arguments))
  }

  public convenience init(format: String, argumentArray arguments: [Any]?) {
    self.init(tree: PredicateParser.tree(format, arguments ?? []))
  }

  /// Foundation's own class carries the tree: it tells it to a probe, and asks an object's library whether the object is found.
  convenience init(tree: PredicateTree) {
    self.init(block: { object, _ in
      guard let probe = object as? PredicateProbe else { return tree.finds(object) }
      probe.tree = tree
      return true
    })
  }

  /// What the predicate was made of.
  var tree: PredicateTree {
    if let compound = self as? NSCompoundPredicate {
      let parts = compound.subpredicates.map(\.tree)
      switch compound.compoundPredicateType {
      case .and: return .all(parts)
      case .or: return .any(parts)
      case .not: return .not(parts.first ?? .constant(true))
      }
    }
    let probe = PredicateProbe()
    _ = evaluate(with: probe)
    if let tree = probe.tree { return tree }
    switch predicateFormat {
    case "TRUEPREDICATE": return .constant(true)
    case "FALSEPREDICATE": return .constant(false)
    default: return .invalid("predicates made of a block can't be used in a fetch; use NSPredicate(format:)")
    }
  }

  /// The predicate as a fetch of these objects asks it.
  func condition(for entity: PredicateEntity) throws -> Condition { try tree.condition(for: entity) }
}

/// What a predicate tells its tree to.
final class PredicateProbe: NSObject {
  var tree: PredicateTree?
}

extension PredicateTree {
  /// Whether a fetch with this predicate would find the object: its library is asked, so that both always agree.
  fileprivate func finds(_ object: Any?) -> Bool {
    guard let object = object as? PHObject, object.rowID != 0 else { return false }
    let collection = object as? PHCollection
    let library = collection?.library ?? (object as? PHAsset)?.library
    let source: FetchQuery.Source =
      collection == nil ? .assetsListed([object.rowID]) : .collectionsListed([object.rowID])
    var query = FetchQuery(source)
    query.includesHidden = true
    query.includesAllBurstAssets = true
    do {
      query.condition = try condition(for: PredicateEntity(type(of: object)))
      return try library?.engine.available().fetch(query).ids.isEmpty == false
    } catch { fatalError(error.localizedDescription) }
  }
}

/// So that `date as CVarArg`, which code for Apple's platforms passes to `NSPredicate(format:)`, compiles.
// swift-format-ignore: AvoidRetroactiveConformances
extension Date: @retroactive CVarArg {
  public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
}

import Foundation
internal import LibraryStore
import Synchronization

extension NSPredicate {
  /// Makes a predicate of Foundation's own class that carries a tree.
  ///
  /// Its block stores the tree in a probe, and returns for any other object whether a fetch would
  /// find the object. The tree therefore survives in copies and in `NSCompoundPredicate`.
  convenience init(tree: PredicateTree) {
    let carrier = PredicateCarrier(tree)
    self.init(block: { object, bindings in
      guard let probe = bindings?[PredicateProbe.binding] as? PredicateProbe else { return carrier.finds(object) }
      probe.tree = carrier.tree
      return true
    })
  }

  /// Returns the condition of a fetch of these objects. Throws if a fetch can't use the predicate.
  func condition(for entity: PredicateEntity) throws -> Condition {
    do throws(PredicateError) {
      let condition = try tree(for: entity).condition(for: entity)
      if let reason = condition.reasonForRefusal { throw PredicateError(reason, at: nil) }
      return condition
    } catch { throw error.photosError }
  }

  private static let compoundDepthLimit = 100
  /// A limit of the recursion, since each link takes a part of the thread's stack.
  private static let chainLimit = 1000

  /// Returns the tree that the predicate carries. A block predicate of another origin is evaluated
  /// with an empty object of the fetched class, and is refused.
  private func tree(
    for entity: PredicateEntity, depth: Int = 0, links: Int = 0
  ) throws(PredicateError) -> PredicateTree {
    guard let compound = self as? NSCompoundPredicate else { return simpleTree(for: entity) }
    guard links < Self.chainLimit else {
      throw PredicateError(
        "a chain of more than \(Self.chainLimit) compound predicates; make one of them all", at: nil)
    }
    guard depth < Self.compoundDepthLimit else {
      throw PredicateError("compound predicates are nested more than \(Self.compoundDepthLimit) levels deep", at: nil)
    }
    var parts: [PredicateTree] = []
    for part in compound.subpredicates {
      // A chain of compounds of the same type, each with the last one and a new part, becomes one
      // list. It does not count as nesting.
      let isLink =
        compound.compoundPredicateType != .not
        && (part as? NSCompoundPredicate)?.compoundPredicateType == compound.compoundPredicateType
      let tree = try part.tree(for: entity, depth: isLink ? depth : depth + 1, links: isLink ? links + 1 : links)
      switch (compound.compoundPredicateType, tree) {
      case (.and, .all(let inner)), (.or, .any(let inner)): parts += inner
      default: parts.append(tree)
      }
    }
    switch compound.compoundPredicateType {
    case .and: return .all(parts)
    case .or: return .any(parts)
    case .not:
      guard let part = parts.first else { throw PredicateError("NOT has no operand", at: nil) }
      return .not(part)
    }
  }

  private func simpleTree(for entity: PredicateEntity) -> PredicateTree {
    let probe = PredicateProbe()
    let isTrue = evaluate(with: entity.emptyObject, substitutionVariables: [PredicateProbe.binding: probe])
    if let tree = probe.tree { return tree }
    return isEqual(NSPredicate(value: isTrue)) ? .constant(isTrue) : .invalid(PredicateProbe.isBlock)
  }
}

/// An object in which a predicate's block stores its tree.
private final class PredicateProbe {
  var tree: PredicateTree?

  /// The name of the variable with the probe.
  static let binding = "calotype.predicate.probe"

  static let isBlock = PredicateError("block predicates can't be used in a fetch; use NSPredicate(format:)", at: nil)
}

extension PredicateEntity {
  /// An empty object for block predicates of another origin, which expect one of the fetched class.
  fileprivate var emptyObject: PHObject {
    switch self {
    case .asset: PHAsset()
    case .assetCollection, .collection: PHAssetCollection()
    case .collectionList: PHCollectionList()
    }
  }
}

/// A tree, and the conditions that were made of it.
private final class PredicateCarrier: Sendable {
  let tree: PredicateTree
  private let conditions = Mutex<[PredicateEntity: Condition]>([:])

  init(_ tree: PredicateTree) { self.tree = tree }

  /// Returns whether a fetch would find the object. Traps if the fetch would.
  func finds(_ object: Any?) -> Bool {
    guard let object = object as? PHObject else {
      fatalError("A predicate for fetches can be evaluated on assets and collections, not on \(object ?? "nil")")
    }
    do throws(PredicateError) {
      return try condition(for: PredicateEntity(type(of: object))).holds(object.value(for:))
    } catch { fatalError(error.photosError.localizedDescription) }
  }

  private func condition(for entity: PredicateEntity) throws(PredicateError) -> Condition {
    if let known = conditions.withLock({ $0[entity] }) { return known }
    let condition = try tree.condition(for: entity)
    conditions.withLock { $0[entity] = condition }
    return condition
  }
}

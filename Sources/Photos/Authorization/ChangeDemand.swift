/// The permission that a change request needs.
package enum ChangeDemand {
  case nothing
  case addAssets
  case changeAssets
  case changeCollections
  /// A deletion, which has to be confirmed first.
  case delete(AuthorizationRequest.Deletion)

  var isDeletion: Bool { if case .delete = self { true } else { false } }
}

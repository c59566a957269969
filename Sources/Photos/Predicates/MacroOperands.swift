import CoreLocation
import Foundation

// The sides of comparisons, as Foundation's `PredicateExpressions`.

extension PredicateExpressions.Value: MacroOperand, MacroCondition, MacroValue {
  var captured: Any { value }

  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    guard let constant = PredicateConstant(value) else {
      throw PredicateError("no key can be compared with a \(Output.self)", at: nil)
    }
    return .constant(constant)
  }

  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    guard let value = value as? Bool else { throw PredicateError("a \(Output.self) is not a truth value", at: nil) }
    return .constant(value)
  }
}

extension PredicateExpressions.NilLiteral: MacroOperand, MacroValue {
  var captured: Any { NSNull() }
  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression { .constant(.null) }
}

extension PredicateExpressions.Variable: MacroOperand {
  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    reader.variables[key] ?? .key("SELF")
  }
}

extension PredicateExpressions.KeyPath: MacroOperand, MacroEmptiness {
  var testedText: Any? { keyPath as AnyKeyPath == \String.isEmpty ? root : nil }

  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    if let name = MacroKeyPaths.names[keyPath] { return .key(name) }
    // The raw value of a key is the key itself.
    if MacroKeyPaths.rawValues.contains(keyPath) { return try reader.operand(root) }
    let entity = (Root.Output.self as? PHObject.Type).map(PredicateEntity.init)
    let keys = entity.map { "; the keys of \($0.rawValue) are \($0.keyNames)" } ?? ""
    throw PredicateError("a property of \(Root.Output.self) in a #Predicate can't be used in a fetch\(keys)", at: nil)
  }
}

// MARK: Computing

extension PredicateExpressions.Arithmetic: MacroOperand {
  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    let operation: PredicateArithmetic =
      switch op {
      case .add: .plus
      case .subtract: .minus
      case .multiply: .times
      @unknown default: throw PredicateError("“\(op)” in a #Predicate can't be used in a fetch", at: nil)
      }
    return try .computed(try reader.operand(lhs), operation, try reader.operand(rhs), at: nil)
  }
}

extension PredicateExpressions.IntDivision: MacroOperand {
  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    try .computed(try reader.operand(lhs), .dividedBy, try reader.operand(rhs), at: nil)
  }
}

extension PredicateExpressions.FloatDivision: MacroOperand {
  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    try .computed(try reader.operand(lhs), .dividedBy, try reader.operand(rhs), at: nil)
  }
}

extension PredicateExpressions.UnaryMinus: MacroOperand {
  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    try .computed(.constant(.integer(0)), .minus, try reader.operand(wrapped), at: nil)
  }
}

extension PredicateExpressions.ForcedUnwrap: MacroOperand {
  /// Returns the optional. If it is nil, the comparison is false.
  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression { try reader.operand(inner) }
}

// MARK: Key paths

/// The keys of the properties that a `#Predicate` may use.
enum MacroKeyPaths {
  // Key paths of constants are immutable, although they are not declared Sendable.
  nonisolated(unsafe) static let names: [AnyKeyPath: String] = [
    \PHObject.localIdentifier: "localIdentifier", \PHAsset.localIdentifier: "localIdentifier",
    \PHCollection.localIdentifier: "localIdentifier", \PHAssetCollection.localIdentifier: "localIdentifier",
    \PHCollectionList.localIdentifier: "localIdentifier",
    \PHAsset.creationDate: "creationDate", \PHAsset.modificationDate: "modificationDate",
    \PHAsset.addedDate: "addedDate", \PHAsset.mediaType: "mediaType", \PHAsset.mediaSubtypes: "mediaSubtypes",
    \PHAsset.duration: "duration", \PHAsset.pixelWidth: "pixelWidth", \PHAsset.pixelHeight: "pixelHeight",
    \PHAsset.isFavorite: "isFavorite", \PHAsset.isHidden: "isHidden", \PHAsset.burstIdentifier: "burstIdentifier",
    \PHAsset.hasAdjustments: "hasAdjustments",
    \PHAsset.extendedMetadata: "extendedMetadata", \PHAssetExtendedMetadata.originalFilename: "originalFilename",
    // A place exists if it has a latitude.
    \PHAsset.location: "latitude", \CLLocation.coordinate: "latitude",
    \CLLocationCoordinate2D.latitude: "latitude", \CLLocationCoordinate2D.longitude: "longitude",
    \PHCollection.localizedTitle: "localizedTitle", \PHAssetCollection.localizedTitle: "localizedTitle",
    \PHCollectionList.localizedTitle: "localizedTitle",
    \PHCollection.modificationDate: "modificationDate", \PHAssetCollection.modificationDate: "modificationDate",
    \PHCollectionList.modificationDate: "modificationDate",
    \PHAssetCollection.startDate: "startDate", \PHAssetCollection.endDate: "endDate",
    \PHCollectionList.startDate: "startDate", \PHCollectionList.endDate: "endDate",
    \PHAssetCollection.estimatedAssetCount: "estimatedAssetCount",
  ]

  nonisolated(unsafe) static let rawValues: Set<AnyKeyPath> = [
    \PHAssetMediaType.rawValue, \PHAssetMediaSubtype.rawValue,
  ]
}

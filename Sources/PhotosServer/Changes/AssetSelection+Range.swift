import Foundation
import Photos

extension AssetSelection.Range {
  /// Returns the assets of the range. Throws 409 if the library is at another revision, or if the
  /// list has another length, since the same positions may be of other assets then.
  func assets(in library: PHPhotoLibrary, patternSeconds: Double) throws -> [PHAsset] {
    let wanted = try revision.string()
    let (present, result) = try library.readConsistently {
      try found(in: library, patternSeconds: patternSeconds).result
    }
    guard present == wanted else {
      throw Failure(.conflict, "\(revision.path): the library has changed; its revision is \(present) now")
    }
    // The lock of the Hidden album changes lists without a new revision.
    if let total, try total.integer(in: 0...Int(Int32.max)) != result.count {
      throw Failure(.conflict, "\(total.path): the list has \(result.count) assets now")
    }
    guard positions.upperBound <= result.count else {
      throw end.failure("the collection has \(result.count) assets")
    }
    let assets = result.objects(at: IndexSet(integersIn: positions))
    if let error = result.error { throw error }
    return except.isEmpty ? assets : assets.filter { !except.contains($0.uuid) }
  }

  private func found(in library: PHPhotoLibrary, patternSeconds: Double) throws -> FoundAssets {
    let name = try collection.string()
    let filter = AssetFilter(
      predicate: try predicate?.string(), text: try text?.string(), patternSeconds: patternSeconds)
    let source = AssetSource.collection(name, order: try knownOrder(), filter: filter)
    do { return try FoundAssets(source, in: library) } catch var failure as Failure {
      // The place takes the part of a list's parameter.
      failure.message = String(failure.message.trimmingPrefix("where: "))
      switch failure.status {
      case .notFound: throw collection.failure(failure.message, code: .identifierNotFound)
      case .badRequest: throw (predicate ?? order ?? collection).failure(failure.message)
      default: throw failure.at((predicate ?? collection).path)
      }
    }
  }

  private func knownOrder() throws -> AssetOrder? {
    guard let order else { return nil }
    guard let known = AssetOrder(rawValue: try order.string()) else {
      throw order.failure("there are the orders \(AssetOrder.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return known
  }
}

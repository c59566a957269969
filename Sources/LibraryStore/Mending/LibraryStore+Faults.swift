extension LibraryStore {
  /// Returns whether a file is known to be damaged: the last verification found it so, or it does
  /// not have the size with which it was imported.
  public func isDamaged(_ resource: ResourceRecord) -> Bool { fault(of: resource) != nil }

  /// Returns what a verification would find about a file, as far as it is known without reading
  /// the file; `nil` if nothing is known.
  public func fault(of resource: ResourceRecord) -> VerificationFinding? {
    let recorded = resource.isDamaged ? VerificationFinding.changed(path: resource.path) : nil
    guard originals.isLocal(resource) else { return recorded }
    do throws(StoreError) {
      guard let status = try folder.status(resource.path) else { return .missing(path: resource.path) }
      return Int(status.st_size) == resource.byteCount ? recorded : .changed(path: resource.path)
    } catch { return .cannotRead(path: resource.path, reason: error.reason) }
  }
}

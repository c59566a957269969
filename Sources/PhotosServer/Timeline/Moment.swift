import Photos

/// The state of a library for which an answer holds.
struct Moment: Hashable, Sendable {
  var revision: String
  /// The hours since 1970, for answers that change with time alone: by and by, assets are no longer
  /// recently added, and have fewer days left in Recently Deleted.
  var hour: Int?
  /// Whether hidden assets are concealed. That changes without a change of the library.
  var concealsHidden: Bool

  init(revision: String, hour: Int? = nil, concealsHidden: Bool = false) {
    self.revision = revision
    self.hour = hour
    self.concealsHidden = concealsHidden
  }

  /// Returns the present moment of a library.
  init(of library: PHPhotoLibrary, dependsOnTime: Bool) throws {
    revision = library.currentChangeToken.stringValue
    hour = dependsOnTime ? Int(library.now.timeIntervalSince1970 / 3600) : nil
    concealsHidden = try library.lacksHidden()
  }

  /// Returns the same moment at another revision.
  func at(_ revision: String) -> Moment { Moment(revision: revision, hour: hour, concealsHidden: concealsHidden) }

  var tag: EntityTag {
    let time = hour.map { "\(revision).\($0)" } ?? revision
    return EntityTag(concealsHidden ? "\(time).locked" : time)
  }
}

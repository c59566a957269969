import Foundation

extension PHFetchOptions {
  /// The library to fetch from; `nil` is `PHPhotoLibrary.shared()`.
  public var photoLibrary: PHPhotoLibrary? {
    get { additions.photoLibrary }
    set { additions.photoLibrary = newValue }
  }

  /// Words to search for. Each has to begin a word of an asset's file name, title, caption,
  /// keywords, camera or place, or of the title of an album that contains the asset. Case and
  /// accents are ignored. In a fetch of collections, each has to begin a word of the title.
  public var searchText: String? {
    get { additions.searchText }
    set { additions.searchText = newValue }
  }

  /// Terms of a search that name a kind or a date. An asset has to meet each of them.
  package var searchTerms: [SearchTerm] {
    get { additions.searchTerms }
    set { additions.searchTerms = newValue }
  }

  /// A term of a search that may also be meant as words. An asset meets it if it matches the
  /// predicate, or has the words.
  package struct SearchTerm {
    var predicate: NSPredicate
    var words: String

    package init(_ predicate: NSPredicate, words: String) {
      self.predicate = predicate
      self.words = words
    }
  }

  /// The seconds that a reading may take to match LIKE and MATCHES. Then it fails with
  /// `limitExceeded`. `nil` means no limit.
  package var patternSeconds: Double? {
    get { additions.patternSeconds }
    set { additions.patternSeconds = newValue }
  }

  /// Throws if a fetch of these objects can't use the options. The error names the unsupported part
  /// and the supported ones.
  ///
  ///     try options.validate(for: PHAsset.self)
  public func validate(for objects: PHObject.Type) throws {
    _ = try query(.nothing, for: PredicateEntity(objects))
  }

  /// The values of these properties.
  struct Additions {
    var photoLibrary: PHPhotoLibrary?
    var searchText: String?
    var searchTerms: [SearchTerm] = []
    var patternSeconds: Double?
  }
}

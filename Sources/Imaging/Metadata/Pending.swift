extension MediaMetadata {
  public var title: String? { nil }
  public var caption: String? { nil }
  public var keywords: [String] { [] }
  public var placeNames: [String] { [] }
  public var rating: Int { 0 }
  public var isSelfie: Bool { false }
}

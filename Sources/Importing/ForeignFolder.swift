/// Folders that other programs and systems fill: thumbnails, previews, trash. The photos in them
/// are copies of others, or were deleted.
enum ForeignFolder {
  /// Returns the reason to leave out such a folder, by its name and that of its parent; `nil` for
  /// any other folder.
  static func reason(
    toLeave name: ArraySlice<UInt8>, in parent: ArraySlice<UInt8>
  ) -> ImportReport.LeftAlone.Reason? {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    if name == picasaOriginals { return .keptOriginal }
    if names.contains(name) || prefixes.contains(where: name.hasPrefix) || suffixes.contains(where: name.hasSuffix) {
      return .foreign
    }
    let parent = String(decoding: parent, as: UTF8.self).lowercased()
    let isCache =
      cachesOfLibraries.contains(name)
      && (parent == "iphoto library" || librarySuffixes.contains(where: parent.hasSuffix))
    return isCache ? .foreign : nil
  }

  /// The folder in which Picasa stores the originals of the edited photos beside it.
  private static let picasaOriginals = ".picasaoriginals"

  private static let names: Set = [
    // Network storage by Synology and QNAP.
    "@eadir", "#recycle", "#snapshot", "@recycle", "@recently-snapshot", "@__thumb", ".@__thumb",
    // Windows, macOS, Linux and digiKam.
    "$recycle.bin", "recycler", "recycled", "system volume information", ".trash", ".trashes", ".dtrash", "__macosx",
    // Phones, desktops, galleries and servers.
    ".thumbnails", "thumbnails", ".thumbs", "thumbs", "ipod photo cache", ".cache",
    // The stills that Sony's and Panasonic's cameras store for each movie.
    "thmbnl", "avchdtn",
  ]
  /// The trash of Linux on disks other than the one with the home folder, and the previews of
  /// Nextcloud.
  private static let prefixes = [".trash-", "appdata_oc"]
  /// The previews of Lightroom.
  private static let suffixes = [".lrdata"]

  /// Libraries of iPhoto and Aperture store their originals in other folders than
  /// `cachesOfLibraries`.
  private static let librarySuffixes = [".photolibrary", ".aplibrary", ".migratedphotolibrary", ".migratedaplibrary"]
  private static let cachesOfLibraries: Set = ["previews", "caches", "data", "data.noindex", "faces"]
}

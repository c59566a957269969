/// Folders that other programs and systems fill for themselves: thumbnails, previews, trash. The
/// photos in them are copies of others, or were thrown away.
enum ForeignFolder {
  /// Returns whether a folder is such a folder, by its own name and that of its parent.
  static func isForeign(_ name: ArraySlice<UInt8>, in parent: ArraySlice<UInt8>) -> Bool {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    if names.contains(name) || prefixes.contains(where: name.hasPrefix) || suffixes.contains(where: name.hasSuffix) {
      return true
    }
    let parent = String(decoding: parent, as: UTF8.self).lowercased()
    return cachesOfLibraries.contains(name)
      && (parent == "iphoto library" || librarySuffixes.contains(where: parent.hasSuffix))
  }

  private static let names: Set = [
    // Disk stations of Synology and QNAP.
    "@eadir", "#recycle", "#snapshot", "@recycle", "@recently-snapshot", "@__thumb", ".@__thumb",
    // Windows, macOS, Linux and digiKam.
    "$recycle.bin", "recycler", "recycled", "system volume information", ".trash", ".trashes", ".dtrash", "__macosx",
    // Phones, desktops, galleries and servers.
    ".thumbnails", "thumbnails", ".thumbs", "thumbs", "ipod photo cache",
    // The still that Sony's and Panasonic's cameras keep of each movie.
    "thmbnl", "avchdtn",
  ]
  /// Linux's trash on disks other than the one with the home folder; the previews of Nextcloud.
  private static let prefixes = [".trash-", "appdata_oc"]
  /// The previews of Lightroom.
  private static let suffixes = [".lrdata"]

  /// Libraries of iPhoto and Aperture keep their originals in other folders than these.
  private static let librarySuffixes = [".photolibrary", ".aplibrary", ".migratedphotolibrary", ".migratedaplibrary"]
  private static let cachesOfLibraries: Set = ["previews", "caches", "data", "data.noindex", "faces"]
}

/// Folders that other programs and systems fill for themselves: thumbnails, previews, trash. The
/// photos in them are copies of others, or were thrown away.
enum ForeignFolder {
  /// Returns why such a folder is left alone, by its own name and that of its parent; `nil` for any
  /// other folder.
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

  /// Picasa puts the photos here as they were before it edited those beside this folder.
  private static let picasaOriginals = ".picasaoriginals"

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

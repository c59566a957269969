import Foundation
import PhotosJSON

/// The text of `calotype info`: everything known about an asset.
struct InfoText {
  private let asset: AssetDetailDescription
  private let albums: [InfoDescription.Album]
  private let faults: [FindingDescription]

  init(_ info: InfoDescription) {
    asset = info.detail
    albums = info.albums
    faults = info.faults
  }

  var lines: [String] {
    let fields: [(String, String?)] = [
      ("Identifier", asset.asset.localIdentifier),
      ("File name", asset.asset.originalFilename),
      ("Title", asset.title),
      ("Caption", asset.caption?.split(whereSeparator: \.isNewline).joined(separator: " ")),
      ("Keywords", asset.keywords.isEmpty ? nil : asset.keywords.joined(separator: ", ")),
      ("Kind", ([asset.asset.mediaType] + asset.asset.mediaSubtypes).joined(separator: ", ")),
      ("Taken", taken),
      ("Changed", asset.asset.modificationDate),
      ("Added", asset.asset.addedDate),
      ("Size", "\(asset.asset.pixelWidth) × \(asset.asset.pixelHeight) pixels"),
      ("Duration", asset.asset.duration > 0 ? String(format: "%.2f s", asset.asset.duration) : nil),
      ("Place", place),
      ("Camera", camera),
      ("Exposure", exposure),
      ("Burst", asset.asset.burstIdentifier),
      ("Favorite", asset.asset.isFavorite ? "yes" : nil),
      ("Hidden", asset.asset.isHidden ? "yes" : nil),
      ("Edited", edit),
      ("Can’t be shown", asset.unreadableReason),
    ]
    let several =
      albums.map { ("Album", $0.path.joined(separator: "/")) } + asset.notes.map { ("Note", $0) }
      + faults.map { ("Problem", $0.description) }
    let known = fields.compactMap { name, value in value.map { (name, $0) } }
    return (known + several).map { name, value in (name + ":").padded(to: 16) + value } + resources
  }

  private var taken: String? {
    asset.asset.creationDate.map { date in
      let source = "date: \(asset.dateSource.map { Self.dateSources[$0] ?? $0 } ?? "unknown")"
      if let known = asset.asset.partialDate { return "\(known) (\(source))" }
      let zone = asset.timeZoneSource.map { Self.zoneSources[$0] ?? $0 } ?? "unknown"
      return "\(date) (\(source), zone: \(zone))"
    }
  }

  /// Dates that the file's content does not have.
  private static let dateSources = ["name": "from the file’s name", "file": "when the file was last changed"]

  /// Zones that the file does not contain. The nearest city's zone may be wrong near a border.
  private static let zoneSources = [
    "location": "guessed from the nearest city", "machine": "guessed from this computer",
  ]

  private var place: String? {
    guard let latitude = asset.asset.latitude, let longitude = asset.asset.longitude else { return nil }
    let altitude = asset.asset.altitude.map { String(format: ", %.0f m above the sea", $0) } ?? ""
    return String(format: "%.6f, %.6f", latitude, longitude) + altitude
  }

  private var camera: String? {
    let parts = [asset.camera.make, asset.camera.model, asset.camera.lens].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private var exposure: String? {
    let camera = asset.camera
    let time = camera.exposureTime.map { $0 < 0.3 ? String(format: "1/%.0f s", 1 / $0) : String(format: "%g s", $0) }
    let parts = [
      time, camera.fNumber.map { String(format: "f/%g", $0) }, camera.iso.map { "ISO \($0)" },
      camera.focalLength.map { String(format: "%g mm", $0) },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private var edit: String? {
    asset.edit.map { edit in
      let parts = [edit.date, edit.formatIdentifier.map { "by \($0)" }, edit.steps?.description].compactMap(\.self)
      return parts.isEmpty ? "yes" : parts.joined(separator: ", ")
    }
  }

  private var resources: [String] {
    asset.asset.resources.flatMap { resource in
      [
        "\(resource.type): ".padded(to: 16)
          + "\(resource.originalFilename) (\(resource.uniformTypeIdentifier), \((resource.bytes ?? 0).inBytes))",
        "".padded(to: 16) + "SHA-256 \(resource.sha256)",
      ]
    }
  }
}

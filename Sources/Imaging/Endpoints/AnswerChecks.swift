import Foundation
import ImageCoding
import MediaMetadata
import Sandbox

// A worker's answer is trusted as little as its file, since a file may have compromised the worker.
// The worst that an answer within these checks can do is to show another picture or text.

extension MediaMetadata {
  /// Returns the metadata if the readers can produce every value, with long texts cut.
  func checked(for file: MediaFile) throws -> MediaMetadata {
    try check((0...longestSide).contains(pixelWidth) && (0...longestSide).contains(pixelHeight), "an impossible size")
    try check((1...8).contains(orientation), "an impossible orientation")
    try check((0...Self.longestDuration).contains(duration), "an impossible duration")
    try check((0...Self.longestDuration).contains(stillTime ?? 0), "an impossible instant of a still")
    try check(abs(captureDate.date.timeIntervalSince1970) < farthestSeconds, "an impossible date")
    try check((-longestOffset...longestOffset).contains(captureDate.offset), "an impossible zone")
    try check((0...5).contains(rating), "an impossible rating")
    if let location {
      try check(abs(location.latitude) <= 90 && abs(location.longitude) <= 180, "an impossible place")
      try check(Location.altitudes.contains(location.altitude ?? 0), "an impossible altitude")
    }
    if let motionVideo {
      try check(
        motionVideo.offset >= 0 && motionVideo.byteCount >= 0 && motionVideo.offset <= file.byteCount
          && motionVideo.byteCount <= file.byteCount - motionVideo.offset, "a movie outside of its file")
    }
    for number in [camera.exposureTime, camera.fNumber, camera.focalLength] {
      try check(number.map(Camera.numbers.contains) ?? true, "an impossible camera")
    }
    try check((0...longestSide).contains(camera.iso ?? 0), "an impossible camera")
    // The extension becomes part of a file name on the disk.
    try check(MediaType.known.contains(type), "an unknown type")
    try check(subtypes.isSubset(of: .known), "unknown subtypes")
    try check(!subtypes.contains(.live) || motionVideo != nil, "a Live Photo without a movie")
    var bounded = self
    bounded.title = title.flatMap(boundedText)
    bounded.caption = caption.flatMap(boundedText)
    bounded.contentIdentifier = contentIdentifier.flatMap(boundedText)
    bounded.burstIdentifier = burstIdentifier.flatMap(boundedText)
    bounded.camera.make = camera.make.flatMap(boundedText)
    bounded.camera.model = camera.model.flatMap(boundedText)
    bounded.camera.lens = camera.lens.flatMap(boundedText)
    bounded.camera.software = camera.software.flatMap(boundedText)
    bounded.keywords = boundedTexts(keywords)
    bounded.placeNames = boundedTexts(placeNames)
    bounded.notes = boundedTexts(notes)
    return bounded
  }
}

extension PictureProperties {
  /// Returns the properties if the readers can produce every value; line breaks in texts become
  /// spaces.
  func checked() throws -> PictureProperties {
    try check(entries.count <= Self.mostEntries, "too many properties")
    try check((0...64).contains(depth) && [0, 1, 3, 4].contains(colorCount), "an impossible picture")
    var checked = self
    checked.profileName = profileName.flatMap(boundedText)
    checked.entries = try entries.compactMap { entry in
      try check((0...0xFFFF).contains(entry.number), "a property of an impossible number")
      switch entry.value {
      case .integers(let values): try check((1...Self.longestValue).contains(values.count), "an impossible property")
      case .numbers(let values):
        try check((1...Self.longestValue).contains(values.count), "an impossible property")
        try check(values.allSatisfy(\.isFinite), "a property that is no number")
      case .text(let text):
        guard let text = boundedText(text) else { return nil }
        return Entry(entry.group, entry.number, .text(text))
      case .data(let bytes): try check((1...Self.longestValue).contains(bytes.count), "an impossible property")
      }
      return entry
    }
    return checked
  }
}

/// A day, in seconds.
private let longestOffset = 24 * 3600
/// The longest side that the readers accept.
let longestSide = 1 << 30
private let farthestSeconds = 1e13
private let longestText = 64 << 10
private let mostTexts = 10_000

/// Returns a text in one line, without characters that would steer a terminal. Readers produce no
/// other texts.
func boundedText(_ text: String) -> String? { text.cleaned(limit: longestText) }

func boundedTexts(_ texts: [String]) -> [String] { texts.prefix(mostTexts).compactMap(boundedText) }

/// Throws unless the reply is plausible.
func check(_ isPlausible: Bool, _ reason: String) throws(MalformedReply) {
  guard isPlausible else { throw MalformedReply(reason) }
}

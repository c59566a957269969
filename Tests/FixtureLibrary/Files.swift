import Foundation
import PhotosTesting

/// Writes the files of the fixture library. Each has the date of its capture as its modification
/// date.
func writeFiles(to folder: URL) throws {
  func write(_ name: String, _ data: Data, _ date: Date) throws {
    let url = folder.appendingPathComponent(name)
    try data.write(to: url)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
  }

  for (index, text) in photoDates.enumerated() {
    var metadata = metadata(text)
    if index == 0 {
      metadata.subseconds = 250
      metadata.place = .init(latitude: 41.8781, longitude: -87.6298)
    }
    if index == 7 { metadata.orientation = 6 }
    let size: PictureSize = index == 6 ? .twelveMegapixels : index == 7 ? PictureSize.medium.turned : .medium
    let data = try SampleMedia.jpeg(size: size, seed: UInt64(index + 1), metadata: metadata)
    try write("P\(number(index + 1)).JPG", data, date(text))
  }
  for index in 1...2 {
    let text = "2023-05-0\(index)T10:00:00Z"
    try write(
      "N\(number(index)).JPG", try SampleMedia.panorama(seed: UInt64(index), metadata: metadata(text)), date(text))
  }
  for index in 1...5 {
    let text = "2025-08-1\(index)T09:30:00Z"
    let pair = try SampleMedia.livePhoto(size: .medium, seed: UInt64(20 + index), metadata: metadata(text))
    try write("L\(number(index)).HEIC", pair.still, date(text))
    try write("L\(number(index)).MOV", pair.video, date(text))
  }
  for index in 1...6 {
    let text = "2026-02-0\(index)T08:00:00Z"
    let data = try SampleMedia.screenshotPNG(seed: UInt64(index), metadata: metadata(text))
    try write("S\(number(index)).PNG", data, date(text))
  }
  let animated = SampleMedia.animatedGIF(frames: 8, size: PictureSize(width: 360, height: 270), seed: 3)
  try write("G01.GIF", animated, date("2022-12-24T18:00:00Z"))
  let burst = try SampleMedia.burst(count: 3, seed: 4, metadata: metadata("2022-07-01T12:00:00Z"))
  for (index, frame) in burst.enumerated() {
    try write("B01_\(index + 1).JPG", frame, date("2022-07-01T12:00:00Z"))
  }
  var raw = metadata("2021-10-10T15:00:00Z")
  raw.camera = SampleMetadata.Camera(make: "LEICA CAMERA AG", model: "LEICA Q3", exposureTime: 1.0 / 500, iso: 100)
  try write("R01.JPG", try SampleMedia.jpeg(size: .large, seed: 5, metadata: raw), date("2021-10-10T15:00:00Z"))
  try write("R01.DNG", try SampleMedia.dng(size: .large, seed: 5, metadata: raw), date("2021-10-10T15:00:00Z"))
  try write("U01.JPG", BrokenFiles.garbageJPEG(), date("2020-09-13T12:00:00Z"))
  for (index, name) in videoNames.enumerated() {
    let text = "2024-1\(index % 3)-\(number(index + 1))T19:00:00Z"
    let length = name == "V01" ? 20.0 : name == "V02" ? 1 : 2
    var metadata = metadata(text)
    if name == "C01" { metadata.software = "ReplayKit" }
    let movie = try SampleMedia.movie(
      duration: length, seed: UInt64(40 + index), metadata: metadata, codec: name == "H01" ? .hevc : .h264,
      framesPerSecond: name == "M01" ? 120 : 30, isTimeLapse: name == "T01")
    try write("\(name).MOV", movie, date(text))
  }
  for (index, name) in ["X01", "X02", "D01", "D02", "D03"].enumerated() {
    let text = "2021-04-0\(index + 1)T12:00:00Z"
    try write(
      "\(name).JPG", try SampleMedia.jpeg(size: .medium, seed: UInt64(60 + index), metadata: metadata(text)), date(text)
    )
  }
}

private let videoNames = ["V01", "V02", "V03", "V04", "V05", "V06", "V07", "V08", "M01", "T01", "C01", "H01"]

/// The dates of P01 to P20. P02 to P06 are of one day.
private let photoDates = [
  "2019-03-04T17:20:11-06:00", "2024-06-14T09:00:00+02:00", "2024-06-14T11:30:00+02:00", "2024-06-14T12:10:00+02:00",
  "2024-06-14T17:20:00+02:00", "2024-06-14T21:40:00+02:00", "2025-04-02T08:00:00+09:00", "2025-04-03T14:00:00+09:00",
  "2026-05-20T13:00:00+02:00", "2019-07-21T10:00:00+02:00", "2019-12-31T23:59:00+01:00", "2020-02-29T12:00:00+01:00",
  "2020-08-15T16:00:00+02:00", "2021-06-05T12:00:00+02:00", "2022-03-13T09:00:00+01:00", "2023-09-09T09:09:09+02:00",
  "2026-07-04T20:00:00+02:00", "2026-09-01T07:45:00+02:00", "2026-10-31T18:00:00+01:00", "2026-11-19T12:00:00+01:00",
]

private func metadata(_ text: String) -> SampleMetadata {
  let zone = String(text.dropFirst(19))
  let hours = zone == "Z" ? 0 : Int(zone.prefix(3)) ?? 0
  return SampleMetadata(captureDate: date(text), offset: hours * 3600)
}

private func date(_ text: String) -> Date {
  do { return try Date(text, strategy: .iso8601) } catch { fatalError("\(text) is not a date") }
}

private func number(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

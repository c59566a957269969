import Foundation
import ImageCoding
import Imaging

// Makes the renditions of pictures as an import does, and reports the cost.
// `Benchmarks/renditions.py` runs it beside other programs.
//
//     rendition-benchmark grid,screen FILE...
//     rendition-benchmark tiles FILE...
//     rendition-benchmark unfiltered-tiles FILE...
//
// `tiles` only decodes the tiles of HEICs with libde265. `unfiltered-tiles` does so without loop
// filters. Calotype skips these for a much smaller picture.
//
// The first file is processed once beforehand, so that tables and libraries are loaded. The output
// has two numbers: milliseconds of processor time per file, and the peak memory of the process in
// bytes.

func processorMilliseconds() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3 }
  return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
}

/// Returns this program's peak memory. `getrusage` is unsuitable: its peak includes that of the
/// program that started this one.
func peakBytes() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
}

func fail(_ message: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data("rendition-benchmark: \(message)\n".utf8))
  exit(status)
}

let arguments = CommandLine.arguments.dropFirst()
let usage = "usage: KINDS|tiles|unfiltered-tiles FILE..."
guard arguments.count >= 2, let work = arguments.first else { fail(usage, 2) }
let paths = arguments.dropFirst()

do {
  func decodeTiles(_ path: String, withLoopFilters: Bool) throws {
    guard let picture = HEVCPicture([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))),
      let decoder = HEVCDecoder(withLoopFilters: withLoopFilters, until: .now + .seconds(60))
    else { fail("\(path) is not a picture in HEVC", 1) }
    for (index, tile) in picture.tiles.enumerated() {
      guard decoder.push(tile, index) else { fail("\(path) is damaged", 1) }
      while decoder.next() != nil {}
    }
    guard decoder.finish() else { fail("\(path) is damaged", 1) }
    while decoder.next() != nil {}
  }
  func make(_ path: String) throws {
    switch work {
    case "tiles": try decodeTiles(path, withLoopFilters: true)
    case "unfiltered-tiles": try decodeTiles(path, withLoopFilters: false)
    default:
      let kinds = work.split(separator: ",").map { RenditionKind(rawValue: String($0)) }
      guard !kinds.contains(nil) else { fail(usage, 2) }
      let file = try MediaFile(path: path)
      _ = try makeRenditions(of: file, metadata: MediaMetadata(of: file), kinds: Set(kinds.compactMap(\.self)))
    }
  }
  for path in paths.prefix(1) { try make(path) }
  let start = processorMilliseconds()
  for path in paths { try make(path) }
  print(String(format: "%.3f", (processorMilliseconds() - start) / Double(paths.count)), try peakBytes())
} catch {
  fail("\(error)", 1)
}

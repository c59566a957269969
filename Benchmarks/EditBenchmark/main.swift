import AVFoundation
import CoreImage

// Performs one edit with the public API. `Benchmarks/edits.py` measures it beside other programs.
//
//     edit-benchmark still IN OUT FILTER QUALITY
//     edit-benchmark movie IN OUT FILTER

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("edit-benchmark: \(text)\n".utf8))
  exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count >= 5, arguments[1] == "movie" || arguments.count == 6 else {
  fail("usage: still IN OUT FILTER QUALITY | movie IN OUT FILTER")
}
let (source, target, filter) = (
  URL(fileURLWithPath: arguments[2]), URL(fileURLWithPath: arguments[3]), arguments[4]
)

if arguments[1] == "still" {
  guard let image = CIImage(contentsOf: source, options: [.applyOrientationProperty: true]),
    let space = image.colorSpace, let quality = Double(arguments[5])
  else { fail("\(source.path) can't be read") }
  do {
    try CIContext().writeJPEGRepresentation(
      of: image.applyingFilter(filter, parameters: [:]), to: target, colorSpace: space,
      options: [kCGImageDestinationLossyCompressionQuality: quality])
  } catch {
    fail(error.localizedDescription)
  }
} else {
  let asset = AVAsset(url: source)
  let composition = AVVideoComposition(asset: asset) { request in
    request.finish(with: request.sourceImage.applyingFilter(filter, parameters: [:]), context: nil)
  }
  guard let export = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality) else {
    fail("\(source.path) can't be exported")
  }
  export.videoComposition = composition
  export.outputURL = target
  await export.export()
  if let error = export.error { fail(error.localizedDescription) }
}

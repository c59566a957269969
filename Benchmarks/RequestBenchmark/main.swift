import Foundation
import Photos

// Measures requests for images with the public API. `Benchmarks/image_requests.py` runs it.
//
//     request-benchmark first LIBRARY               first answers, with and without renditions
//     request-benchmark cached LIBRARY              images that a caching manager has prepared
//     request-benchmark scroll LIBRARY SECONDS      a grid that is scrolled at 60 frames per second
//     request-benchmark memory LIBRARY images|data  a thousand requests with unaccepted results
//
// A line of the output contains a name and a number. The main queue runs as in an app. Measurements
// run on it or wait for it.

func fail(_ message: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data("request-benchmark: \(message)\n".utf8))
  exit(status)
}

func report(_ name: String, _ number: Double) {
  print(name, String(format: "%.3f", number))
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fail("usage: first|cached|scroll|memory LIBRARY …", 2) }

Task { @MainActor in
  do {
    let library = try PHPhotoLibrary(url: URL(fileURLWithPath: arguments[2]), create: false)
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    let assets = PHAsset.fetchAssets(with: options)
    switch arguments[1] {
    case "first": await FirstAnswers(assets).measure()
    case "cached": await CachedImages(assets).measure()
    case "scroll": await Scrolling(assets, seconds: arguments.dropFirst(3).first.flatMap(Double.init) ?? 30).measure()
    case "memory": await Memory(assets, isOfData: arguments.last == "data").measure()
    default: fail("there is no \(arguments[1])", 2)
    }
    exit(0)
  } catch { fail(error.localizedDescription, 1) }
}
dispatchMain()

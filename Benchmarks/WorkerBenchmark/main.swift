import Foundation
import Imaging
import Synchronization

// Reads and decodes files as an import does, on all processors. `Benchmarks/workers.py` measures it
// with and without worker processes.
//
//     worker-benchmark metadata|thumbnails|renditions|pixels FILE…

let arguments = CommandLine.arguments
let files = Array(arguments.dropFirst(2))
guard arguments.count > 2, ["metadata", "thumbnails", "renditions", "pixels"].contains(arguments[1]) else {
  FileHandle.standardError.write(Data("usage: worker-benchmark metadata|thumbnails|renditions|pixels FILE…\n".utf8))
  exit(2)
}
let failures = Atomic(0)
let next = Atomic(0)
// An import reads the metadata of up to 32 files in one request.
let batch = arguments[1] == "metadata" ? 32 : 1
DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
  while true {
    let index = next.wrappingAdd(batch, ordering: .relaxed).oldValue
    guard index < files.count else { return }
    do {
      if arguments[1] == "metadata" {
        let opened = try files[index..<min(index + batch, files.count)].map { try MediaFile(path: $0) }
        for answer in MediaMetadata.read(from: opened) { _ = try answer.get() }
        continue
      }
      let file = try MediaFile(path: files[index])
      if arguments[1] == "thumbnails" {
        if try embeddedThumbnail(of: file) == nil { failures.add(1, ordering: .relaxed) }
        continue
      }
      let metadata = try MediaMetadata(of: file)
      switch arguments[1] {
      case "renditions": _ = try makeRenditions(of: file, metadata: metadata, kinds: [.grid, .screen])
      case "pixels": _ = try decodePicture(of: file, metadata: metadata)
      default: break
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      failures.add(1, ordering: .relaxed)
    }
  }
}
exit(failures.load(ordering: .relaxed) == 0 ? 0 : 1)

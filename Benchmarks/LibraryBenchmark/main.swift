import Foundation
import Photos
import Synchronization

// Measures fetches and changes of one library with the public API. `Benchmarks/fetching.py` runs it
// beside SQLite's own C interface.
//
//     library-benchmark LIBRARY ROUNDS [opening|fetches]
//
// A line of the output contains a name, the median of the rounds in milliseconds, and the number of
// results.

let arguments = CommandLine.arguments
let part = arguments.count == 4 ? LibraryBenchmark.Part(rawValue: arguments[3]) : nil
guard (3...4).contains(arguments.count), let rounds = Int(arguments[2]), arguments.count == 3 || part != nil else {
  FileHandle.standardError.write(Data("usage: library-benchmark LIBRARY ROUNDS [opening|fetches]\n".utf8))
  exit(2)
}
do {
  let benchmark = try LibraryBenchmark(URL(fileURLWithPath: arguments[1]), rounds: rounds)
  try benchmark.run(part)
} catch {
  FileHandle.standardError.write(Data("library-benchmark: \(error.localizedDescription)\n".utf8))
  exit(1)
}

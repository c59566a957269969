import Foundation

/// The program `ffmpeg`, which makes the movies.
enum FFmpeg {
  /// Runs `ffmpeg` and returns the file that it writes. `arguments` gets a folder that exists until
  /// the program ends.
  static func making(
    _ sample: String, named name: String, _ arguments: (_ folder: URL) throws(SampleError) -> [String]
  ) throws(SampleError) -> Data {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sample-\(UUID().uuidString)")
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      throw SampleError(.cannotWrite, sample, reason: error.localizedDescription)
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    let destination = folder.appendingPathComponent(name)
    try run(["-v", "error", "-nostdin", "-y"] + arguments(folder) + [destination.path], sample)
    do { return try Data(contentsOf: destination) } catch {
      throw SampleError(.programFailed, sample, reason: error.localizedDescription)
    }
  }

  private static let executable: URL? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    let candidates = path.split(separator: ":").map {
      URL(fileURLWithPath: String($0)).appendingPathComponent("ffmpeg")
    }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  private static func run(_ arguments: [String], _ sample: String) throws(SampleError) {
    guard let executable else { throw SampleError(.missingProgram, sample, reason: "ffmpeg is not installed") }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    do { try process.run() } catch {
      throw SampleError(.programFailed, sample, reason: "ffmpeg: \(error.localizedDescription)")
    }
    let errorOutput = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw SampleError(.programFailed, sample, reason: "ffmpeg: \(errorOutput.suffix(400))")
    }
  }
}

import AVFoundation
import PhotosUI
import UIKit
import UniformTypeIdentifiers

/// Converts a movie to MPEG-4, and makes a picture of its beginning.
struct MovieExport {
  enum Problem: Error { case noSession, cancelled }

  let input: URL

  func export(to output: URL, completion: @escaping (Result<URL, Error>) -> Void) {
    let asset = AVURLAsset(url: input, options: nil)
    guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPreset640x480) else {
      return completion(.failure(Problem.noSession))
    }
    session.outputURL = output
    session.outputFileType = .mp4
    session.shouldOptimizeForNetworkUse = true
    session.exportAsynchronously {
      switch session.status {
      case .completed: completion(.success(output))
      case .cancelled: completion(.failure(Problem.cancelled))
      default: completion(.failure(session.error ?? Problem.noSession))
      }
    }
  }

  func poster() throws -> UIImage {
    let generator = AVAssetImageGenerator(asset: AVAsset(url: input))
    generator.appliesPreferredTrackTransform = true
    let time = CMTime(seconds: 0, preferredTimescale: 60)
    return UIImage(cgImage: try generator.copyCGImage(at: time, actualTime: nil))
  }
}

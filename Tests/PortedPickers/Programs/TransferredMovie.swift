import AVFoundation
import CoreTransferable
import PhotosUI
import UIKit
import UniformTypeIdentifiers

/// A movie in a folder of the program.
struct TransferredMovie: Transferable {
  let url: URL

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(contentType: .movie) { movie in
      SentTransferredFile(movie.url)
    } importing: { received in
      let copy = FileManager.default.temporaryDirectory
        .appendingPathComponent("ported-\(UUID().uuidString)-\(received.file.lastPathComponent)")
      if FileManager.default.fileExists(atPath: copy.path) { try FileManager.default.removeItem(at: copy) }
      try FileManager.default.copyItem(at: received.file, to: copy)
      return Self.init(url: copy)
    }
  }
}

/// A picture file that others may read where it is.
struct OriginalPicture: Transferable {
  let url: URL

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(exportedContentType: .image) { picture in
      SentTransferredFile(picture.url, allowAccessingOriginalFile: true)
    }
    ProxyRepresentation(exporting: \.url)
  }
}

/// A picture in memory.
struct TransferredPicture: Transferable {
  enum Problem: Error { case unreadable }
  let image: UIImage

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(importedContentType: .image) { data in
      guard let image = UIImage(data: data) else { throw Problem.unreadable }
      return TransferredPicture(image: image)
    }
  }
}

/// The model behind a button that picks.
@MainActor
final class PickedMediaModel {
  enum State {
    case empty
    case loading(Progress)
    case picture(UIImage)
    case movie(URL)
    case failure(Error)
  }

  private(set) var state = State.empty

  func load(_ item: PhotosPickerItem) async {
    do {
      if item.supportedContentTypes.contains(where: { $0.conforms(to: .movie) }) {
        guard let movie = try await item.loadTransferable(type: TransferredMovie.self) else { return }
        state = .movie(movie.url)
      } else if let data = try? await item.loadTransferable(type: Data.self), let image = UIImage(data: data) {
        state = .picture(image)
      }
    } catch {
      state = .failure(error)
    }
  }

  func loadWithProgress(_ item: PhotosPickerItem) {
    let progress = item.loadTransferable(type: TransferredPicture.self) { result in
      DispatchQueue.main.async {
        switch result {
        case .success(let picture?): self.state = .picture(picture.image)
        case .success(nil): self.state = .empty
        case .failure(let error): self.state = .failure(error)
        }
      }
    }
    if case .empty = state { state = .loading(progress) }
  }
}

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Photos
import Testing

@testable import PhotosServer

/// Requests of a page that uploads files.
extension TestServer {
  /// Sends a request with bytes.
  func send(
    _ method: String, _ path: String, _ fields: [String: String] = [:], _ bytes: Data = Data()
  ) async throws -> Answer {
    var fields = fields
    if method == "POST" || method == "PATCH" { fields["Content-Length"] = fields["Content-Length"] ?? "\(bytes.count)" }
    if method == "PATCH" { fields["Content-Type"] = fields["Content-Type"] ?? "application/partial-upload" }
    return try await ask(path, fields, method: method, bytes: bytes)
  }

  /// Uploads a file in one request. Returns its identifier.
  func upload(_ bytes: Data, named name: String, _ fields: [String: String] = [:]) async throws -> String {
    let encoded = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let answer = try await send(
      "POST", "/api/v1/uploads", ["Upload-Complete": "?1", "Upload-Name": encoded].merging(fields) { $1 }, bytes)
    try #require(answer.status == 201, "\(answer.text)")
    return try id(answer)
  }

  /// Creates an upload without bytes. Returns its identifier.
  func createUpload(length: Int? = nil, _ fields: [String: String] = [:]) async throws -> String {
    var fields = fields.merging(["Upload-Complete": "?0"]) { $1 }
    if let length { fields["Upload-Length"] = "\(length)" }
    let answer = try await send("POST", "/api/v1/uploads", fields)
    try #require(answer.status == 201, "\(answer.text)")
    return try id(answer)
  }

  private func id(_ answer: Answer) throws -> String {
    String(try #require(answer.field("Location")?.split(separator: "/").last))
  }

  struct ImportedFile: Decodable, Hashable {
    var upload: String
    var name: String
    var outcome: String
    var asset: String?
    var reason: String?
  }

  struct ImportAnswer: Decodable {
    var revision: String?
    var files: [ImportedFile]
  }

  func importUploads(_ ids: [String], album: String? = nil) async throws -> [ImportedFile] {
    let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
    let target = album.map { ",\"album\":\"\($0)\"" } ?? ""
    let answer = try await post(
      "/api/v1/imports", json: "{\"uploads\":[\(list)]\(target)}", isSignedIn: true)
    try #require(answer.status == 200, "\(answer.text)")
    return try JSONDecoder().decode(ImportAnswer.self, from: answer.body).files
  }

  func assets() -> [PHAsset] {
    let options = PHFetchOptions()
    options.photoLibrary = library
    let found = PHAsset.fetchAssets(with: options)
    return (0..<found.count).map { found.object(at: $0) }
  }
}

extension Uploads.Incoming {
  /// Returns a request without a connection, whose sender may always add.
  static func of(_ asker: String, _ bytes: Data) -> Self {
    Self(asker: asker, body: RequestBody(buffer: ByteBuffer(bytes: bytes)), channel: nil) {}
  }
}

/// Returns bytes that differ everywhere, so that a piece in the wrong place is noticed.
func numbered(byteCount: Int) -> Data {
  var data = Data(capacity: byteCount + 8)
  for number in 0..<UInt64((byteCount + 7) / 8) {
    withUnsafeBytes(of: (number &* 0x9E37_79B9_7F4A_7C15).littleEndian) { data.append(contentsOf: $0) }
  }
  return data.prefix(byteCount)
}

/// Returns the value of a `Repr-Digest` field.
func reprDigest(_ data: Data) -> String {
  "sha-256=:\(Data(SHA256.hash(data: data)).base64EncodedString()):"
}

extension TestClient {
  /// Uploads a file in one request.
  func upload(_ bytes: Data, named name: String? = nil) async throws -> TestServer.Answer {
    var fields = ["Content-Length": "\(bytes.count)"]
    fields["Upload-Name"] = name
    if let origin { fields["Origin"] = origin }
    if let token { fields["Authorization"] = "Bearer \(token)" }
    return try await server.ask("/api/v1/uploads", fields, method: "POST", bytes: bytes, isSignedIn: false)
  }

  /// Uploads a file and imports it.
  func add(
    _ bytes: Data, named name: String? = nil, album: PHAssetCollection? = nil
  ) async throws -> TestServer.Answer {
    let uploaded = try await upload(bytes, named: name)
    let id = uploaded.field("Location")?.split(separator: "/").last ?? ""
    let target = album.map { ",\"album\":\"\($0.localIdentifier)\"" } ?? ""
    return try await ask("/imports", method: "POST", json: "{\"uploads\":[\"\(id)\"]\(target)}")
  }
}

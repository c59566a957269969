import Foundation
import Testing

/// The OpenAPI document of the repository.
struct APIDocument {
  struct Operation: CustomTestStringConvertible, Sendable {
    var method: String
    /// The path with its parameters: `/api/v1/assets/{id}`.
    var template: String
    /// Whether a request needs no session.
    var isOpen: Bool
    /// Whether pages of other origins may send the request.
    var isForOtherOrigins: Bool
    /// Whether the answer may take long.
    var waits: Bool
    /// The condition under which a request needs recent authentication, or `always` or `never`.
    var recent: String?

    /// The path with values for its parameters.
    var path: String { APIDocument.path(of: template) }

    var testDescription: String { "\(method) \(template)" }
  }

  /// Returns a path with values for the parameters of its template.
  static func path(of template: String) -> String {
    template.replacing(/\{(\w+)\}/) { ["index": "0", "kind": "grid"][String($0.1)] ?? "A" }
  }

  static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Web/openapi.json").standardizedFileURL

  static let operations: [Operation] = {
    guard let object = try? JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any],
      let paths = object["paths"] as? [String: [String: Any]]
    else { return [] }
    return paths.flatMap { path, methods in
      methods.compactMap { method, operation in
        guard let operation = operation as? [String: Any], method != "parameters" else { return nil }
        return Operation(
          method: method.uppercased(), template: "/api/v1" + path,
          isOpen: (operation["security"] as? [Any])?.isEmpty == true,
          isForOtherOrigins: operation["x-other-origins"] as? Bool == true,
          waits: operation["x-waits"] as? Bool == true,
          recent: operation["x-recent"] as? String)
      }
    }.sorted { ($0.template, $0.method) < ($1.template, $1.method) }
  }()

  /// The requests that change something, except for those that are meant for other origins.
  static let changes = operations.filter { $0.method != "GET" && !$0.isForOtherOrigins }
  /// The paths whose answers may take long.
  static let waitingPaths = Set(operations.filter(\.waits).map(\.path))
  /// The requests that read, and answer at once.
  static let readings = operations.filter { $0.method == "GET" && !$0.waits }
}

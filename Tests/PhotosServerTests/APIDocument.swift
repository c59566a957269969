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
    var parameters: Set<Parameter>
    /// The largest number of bytes of a JSON body; `nil` if the request has none.
    var bodyLimit: Int?
    /// Whether the answer to a `GET` is an array, has one, or has bytes for each asset of a list.
    var isList: Bool
    var statuses: Set<String>

    /// The path with values for its parameters.
    var path: String { APIDocument.path(of: template) }

    var testDescription: String { "\(method) \(template)" }
  }

  /// A parameter outside of the path.
  struct Parameter: Hashable, Sendable {
    var name: String
    /// `query` or `header`.
    var place: String
    var isRequired = false
  }

  /// Returns a path with values for the parameters of its template.
  static func path(of template: String) -> String {
    template.replacing(/\{(\w+)\}/) { ["index": "0", "kind": "grid"][String($0.1)] ?? "A" }
  }

  static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Web/openapi.json").standardizedFileURL

  // No code writes to it, so all threads may read it.
  private nonisolated(unsafe) static let document =
    (try? JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]) ?? [:]

  /// Returns the object to which a reference of the document leads, or the object itself.
  private static func resolved(_ object: [String: Any]) -> [String: Any] {
    guard let path = (object["$ref"] as? String)?.split(separator: "/").dropFirst() else { return object }
    return path.reduce(document) { $0[String($1)] as? [String: Any] ?? [:] }
  }

  /// Returns the values that a property may have. `path` begins with a schema, or with an operation
  /// and `body` or a status: `POST /imports`, `200`. The names of properties follow. Arrays are
  /// passed through.
  static func values(at path: String...) -> Set<String> {
    var path = path[...]
    let name = path.removeFirst().split(separator: " ").map(String.init)
    var schema = resolved(["$ref": "#/components/schemas/\(name[0])"])
    if name.count == 2 {
      let methods = (document["paths"] as? [String: [String: [String: Any]]])?[name[1]]
      let operation = methods?[name[0].lowercased()] ?? [:]
      let part = path.removeFirst()
      let holder = part == "body" ? operation["requestBody"] : (operation["responses"] as? [String: Any])?[part]
      schema = content(holder)["application/json"] ?? [:]
    }
    for key in path {
      schema = resolved(resolved(schema)["items"] as? [String: Any] ?? schema)
      schema = resolved((schema["properties"] as? [String: [String: Any]])?[key] ?? [:])
    }
    return Set((schema["enum"] as? [Any] ?? []).compactMap { $0 as? String })
  }

  private static func hasList(_ schema: [String: Any]) -> Bool {
    let schema = resolved(schema)
    let forms = (schema["oneOf"] ?? schema["anyOf"]) as? [[String: Any]] ?? []
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    return schema["type"] as? String == "array" || forms.contains(where: hasList)
      || properties.values.contains { resolved($0)["type"] as? String == "array" }
  }

  private static func content(_ object: Any?) -> [String: [String: Any]] {
    ((object as? [String: Any])?["content"] as? [String: [String: Any]] ?? [:])
      .mapValues { $0["schema"] as? [String: Any] ?? [:] }
  }

  /// The values that a parameter of the document's components may have.
  static func values(ofParameter name: String) -> Set<String> {
    let parameter = resolved(["$ref": "#/components/parameters/\(name)"])
    return Set((parameter["schema"] as? [String: Any])?["enum"] as? [String] ?? [])
  }

  /// The largest body of a request for which the document states no other limit.
  private static let standardBodyLimit = 16 << 10

  static let operations: [Operation] = {
    let paths = document["paths"] as? [String: [String: [String: Any]]] ?? [:]
    return paths.flatMap { path, methods in
      methods.map { method, operation in
        let answers = operation["responses"] as? [String: Any] ?? [:]
        let parameters = (operation["parameters"] as? [[String: Any]] ?? []).map(resolved).map { parameter in
          Parameter(
            name: parameter["name"] as? String ?? "", place: parameter["in"] as? String ?? "",
            isRequired: parameter["required"] as? Bool == true)
        }
        let hasJSON = content(operation["requestBody"])["application/json"] != nil
        return Operation(
          method: method.uppercased(), template: "/api/v1" + path,
          isOpen: (operation["security"] as? [Any])?.isEmpty == true,
          isForOtherOrigins: operation["x-other-origins"] as? Bool == true,
          waits: operation["x-waits"] as? Bool == true,
          recent: operation["x-recent"] as? String,
          parameters: Set(parameters.filter { $0.place != "path" }),
          bodyLimit: hasJSON ? operation["x-body-limit"] as? Int ?? standardBodyLimit : nil,
          isList: method == "get"
            && content(answers["200"]).contains { $0.key == "application/octet-stream" || hasList($0.value) },
          statuses: Set(answers.keys))
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

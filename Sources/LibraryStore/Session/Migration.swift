/// A step that brings a database of an earlier version to the next one. Its name is stored in the
/// database.
struct Migration: Sendable {
  let name: String
  let body: @Sendable (any Session) throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (any Session) throws -> Void) {
    self.name = name
    self.body = body
  }
}

import HTTPTypes
import Hummingbird

/// The value of an `ETag` header: the same for the same bytes.
struct EntityTag: Hashable {
  /// With its quotes.
  let value: String

  /// `name` has no quotes in it.
  init(_ name: String) { value = "\"\(name)\"" }

  /// Whether a client has what this names already.
  func isHeld(by request: Request) -> Bool { request.headers[.ifNoneMatch].map(isNamed(in:)) ?? false }

  /// Whether the value of an `If-None-Match` names it, where weak and strong tags count alike.
  func isNamed(in list: String) -> Bool {
    list.split(separator: ",").contains { item in
      let name = item.drop { $0 == " " || $0 == "\t" }
      let tag = name.hasPrefix("W/") ? name.dropFirst(2) : name
      return tag == "*" || tag.prefix { $0 != " " && $0 != "\t" } == value
    }
  }
}

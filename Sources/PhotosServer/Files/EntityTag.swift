import HTTPTypes
import Hummingbird

/// The value of an `ETag` header. Equal bytes have equal tags.
struct EntityTag: Hashable {
  /// The tag with its quotes.
  let value: String

  /// Makes a tag. `name` must not contain quotes.
  init(_ name: String) { value = "\"\(name)\"" }

  /// The tag of the content in its compressed form. A client may join ranges that have the same
  /// strong tag, so each form has its own.
  var compressed: EntityTag { EntityTag("\(value.dropFirst().dropLast())-gzip") }

  /// Returns whether the client has the content already.
  func matches(_ request: Request) -> Bool { request.headers[.ifNoneMatch].map(isListed(in:)) ?? false }

  /// Returns whether an `If-None-Match` value contains the tag. Weak and strong tags are equal
  /// here.
  func isListed(in list: String) -> Bool {
    list.split(separator: ",").contains { item in
      let name = item.drop { $0 == " " || $0 == "\t" }
      let tag = name.hasPrefix("W/") ? name.dropFirst(2) : name
      return tag == "*" || tag.prefix { $0 != " " && $0 != "\t" } == value
    }
  }
}

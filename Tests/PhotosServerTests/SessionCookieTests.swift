import Testing

@testable import PhotosServer

struct SessionCookieTests {
  private static let fields: [(field: String?, values: [String])] = [
    (nil, []), ("", []), (";; ;", []), ("calotype=a", ["a"]), ("other=b; calotype=a", ["a"]),
    ("calotype=a;calotype=b", ["a", "b"]), ("calotype-device=c; calotype=a", ["a"]), ("xcalotype=a", []),
    ("Calotype=a", []), ("calotype", []), ("calotype=", [""]), ("calotype=a=b", ["a=b"]), ("calotype=é", ["é"]),
    ("calotype =a", []),
  ]

  @Test(arguments: fields)
  func `a cookie is found by its whole name`(field: String?, values: [String]) {
    #expect(SessionCookie.values(of: "calotype", in: field).map(String.init) == values)
  }
}

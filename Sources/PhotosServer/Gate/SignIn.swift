import HTTPTypes
import Hummingbird
import NIOCore

/// Signs a browser in: opening the URL with the token sets a cookie.
struct SignIn: Sendable {
  let gate: RequestGate

  /// Returns a cookie and a redirect if the request has the right token, else `nil`. The redirect
  /// leads to the URL without the token, which keeps the token out of the browser's history.
  func answer(to request: Request, path: Substring, query: Substring) -> Response? {
    guard request.method == .get, path == "/" else { return nil }
    let tokens = query.split(separator: "&").filter { $0.hasPrefix("token=") }.map { $0.dropFirst("token=".count) }
    guard tokens.count == 1, gate.token.matches(tokens[0]) else { return nil }
    return Response(
      status: .seeOther,
      headers: [
        .location: "/", .cacheControl: "no-store",
        .setCookie: "\(gate.cookieName)=\(gate.token.value); Path=/; HttpOnly; SameSite=Strict",
      ])
  }

  /// Returns the answer to a request that has neither the cookie nor the token.
  static func refusal(isPrivate: Bool) -> Response {
    let failure = Failure(
      .unauthorized,
      "sign in first: open the URL that `calotype serve` printed, or send its token as “Authorization: Bearer TOKEN”",
      [.wwwAuthenticate: "Bearer"])
    guard !isPrivate else { return failure.response }
    var fields = failure.fields
    fields[.cacheControl] = "no-store"
    fields[.contentType] = "text/html; charset=utf-8"
    return Response(status: failure.status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
  }

  private static let page = """
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Calotype</title>
      </head>
      <body>
        <h1>This browser has to be let in</h1>
        <p>Open the address that <code>calotype serve</code> has printed in its terminal. It ends with <code>/?token=…</code>, and is
        another one after each start.</p>
        <p>If you have done that already and came here by a link of another site: <a href="/">open the library</a>.</p>
      </body>
    </html>

    """
}

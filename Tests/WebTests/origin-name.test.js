import assert from "node:assert/strict";
import { test } from "node:test";
import { originName } from "../../Web/models/origin-name.js";

for (const [origin, parts] of [
  ["https://example.com", ["", "example.com", ""]],
  ["https://example.com.evil.example", ["example.com.", "evil.example", ""]],
  ["https://photos.example.co.uk:8443", ["photos.", "example.co.uk", ":8443"]],
  ["https://co.uk", ["", "co.uk", ""]],
  ["http://gallery.localhost:8000", ["http://", "gallery.localhost", ":8000"]],
  ["http://localhost", ["http://", "localhost", ""]],
  ["http://127.0.0.1:8000", ["http://", "127.0.0.1", ":8000"]],
  ["http://[::1]:8000", ["http://", "[::1]", ":8000"]],
  ["https://xn--bcher-kva.example", ["", "xn--bcher-kva.example", ""]],
]) {
  test(`${origin} is read as ${parts.join("|")}`, () => assert.deepEqual(originName(origin), parts));
}

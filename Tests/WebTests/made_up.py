"""Libraries that are too large to import for a test. The test answers the page's requests in place
of the server."""

import datetime
import json
from urllib.parse import parse_qs, unquote, urlparse

PIXEL = "AQGqmYg="  # a placeholder of one pixel
# Replaces the pictures that the page asks for by one of its own. A request that a test answers
# takes some milliseconds, and scrolling asks for thousands of pictures. The address follows the
# picture.
DRAWN = """(() => {
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src');
  const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==#';
  const draw = (address) => (/\\/renditions\\//.test(address) ? picture + address : address);
  Object.defineProperty(HTMLImageElement.prototype, 'src', { get, set(address) { set.call(this, draw(address)); } });
})()"""
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360">'
    '<rect width="360" height="360" fill="hsl({hue} 35% 62%)"/><circle cx="240" cy="110" r="46" fill="hsl({hue} 60% 85%)"/>'
    '<path d="M0 300l120-130 80 80 60-60 100 90v80H0z" fill="hsl({hue} 40% 38%)"/></svg>')
SMART = [
    ("userLibrary", "All Photos"), ("favorites", "Favorites"), ("recentlyAdded", "Recently Added"), ("videos", "Videos"),
    ("screenshots", "Screenshots"), ("recentlyDeleted", "Recently Deleted")]


class MadeUpLibrary:
    """A library of `total` assets, with `each` assets on each day from `newest` backward, and
    `albums` albums, of which each has `in_album` assets. The page requests pictures only if
    `has_pictures`."""

    def __init__(self, total, each=25, newest="2026-03-04", albums=0, in_album=60, has_pictures=False):
        self.each = each
        self.has_pictures = has_pictures
        self.newest = datetime.date.fromisoformat(newest)
        self.total = total
        self.albums = albums
        self.in_album = min(in_album, total)
        self.added = 0
        self.requests = []
        self.streams = []

    @property
    def revision(self):
        return f"made-up-{self.added}"

    def add_today(self, count):
        """Adds assets on the day after the newest one, and tells the pages that listen."""
        self.added += count
        streams, self.streams = self.streams, []
        for route in streams:
            self.answer_stream(route)

    def days(self):
        days = [[str(self.newest - datetime.timedelta(day)), self.each] for day in range(self.total // self.each)]
        if self.total % self.each:
            days.append([str(self.newest - datetime.timedelta(len(days))), self.total % self.each])
        return ([[str(self.newest + datetime.timedelta(1)), self.added]] if self.added else []) + days

    def cell(self, index):
        number = self.total + self.added - index  # counted from the oldest, so newer assets do not change it
        day = self.newest - datetime.timedelta((index - self.added) // self.each)
        return {
            "id": f"00000000-0000-0000-0000-{number:012}", "version": "1", "mediaType": "image", "mediaSubtypes": [],
            "creationDate": f"{day}T12:00:00+01:00", "pixelWidth": 360, "pixelHeight": 360, "duration": 0,
            "isFavorite": False, "placeholder": PIXEL, "unreadable": False,
        }

    def collections(self):
        def collection(id, kind, title, count):
            covers = [{"id": self.cell(0)["id"], "version": "1"}] if count else []
            return {
                "id": id, "kind": kind, "subtype": None, "title": title, "parent": None, "count": count,
                "imageCount": count, "videoCount": 0, "covers": covers, "startDate": None, "endDate": None, "can": []}

        all_count = self.total + self.added
        counts = {"userLibrary": all_count, "recentlyAdded": all_count}
        smart = [collection(id, "smartAlbum", title, counts.get(id, 0)) for id, title in SMART]
        return smart + [
            collection(f"album-{number}", "album", f"Album {number}", self.in_album) for number in range(1, self.albums + 1)]

    def count_in(self, collection):
        if collection in ("userLibrary", "recentlyAdded"):
            return self.total + self.added
        return self.in_album if collection.startswith("album-") else 0

    def json(self, url):
        """Returns the answer to a request of the API, or None."""
        path = [unquote(part) for part in urlparse(url).path.split("/")[3:]]
        query = {name: values[0] for name, values in parse_qs(urlparse(url).query).items()}
        if path == ["library"]:
            return {"name": "Made up", "assetCount": self.total, "features": [], "isOwner": True}
        if path == ["collections"]:
            return {"collections": self.collections()}
        if path[0] == "collections" and path[2] == "days":
            total = self.count_in(path[1])
            if path[1] == "userLibrary" and query.get("order") == "newest":
                return {"total": total, "days": self.days()}
            if path[1] == "userLibrary" and query.get("order") == "oldest":
                return {"total": total, "days": self.days()[::-1]}
            return {"total": total, "days": [[None, total]] if total else []}
        if path[0] == "collections" and path[2] == "assets":
            total = self.count_in(path[1])
            is_oldest = query.get("order") == "oldest"
            place = lambda index: total - 1 - index if is_oldest else index
            if "at" in query:
                index = self.total + self.added - int(query["at"][-12:])
                return {"index": place(index) if 0 <= index < total else None}
            offset, limit = int(query["offset"]), int(query["limit"])
            self.requests.append(offset)
            end = min(offset + limit, total)
            return {"offset": offset, "total": total, "assets": [self.cell(place(index)) for index in range(offset, end)]}
        if path[0] == "assets":
            return self.cell(self.total + self.added - int(path[1][-12:]))
        return None

    def serve(self, page):
        """Answers the page's requests."""
        page.route("**/api/v1/library", self.answer)
        page.route("**/api/v1/collections", self.answer)
        page.route("**/api/v1/collections/**", self.answer)
        page.route("**/api/v1/assets/*", self.answer)
        page.route("**/api/v1/changes/stream*", self.answer_stream)
        if self.has_pictures:
            page.route("**/api/v1/renditions/**", self.answer_picture)
        else:
            page.add_init_script(DRAWN)
            page.evaluate(DRAWN)

    def body(self, url):
        return json.dumps({"revision": self.revision, **self.json(url)})

    def answer(self, route):
        route.fulfill(content_type="application/json", body=self.body(route.request.url))

    def answer_picture(self, route):
        route.fulfill(content_type="image/svg+xml", body=self.picture(route.request.url))

    def picture(self, url):
        return PICTURE.format(hue=int(url.split("/")[-3][-12:]) * 47 % 360)

    def answer_stream(self, route):
        """Answers once there is a change. The page then asks again."""
        if f"since={self.revision}" in route.request.url or route.request.headers.get("last-event-id") == self.revision:
            self.streams.append(route)
            return
        route.fulfill(content_type="text/event-stream", body=self.event())

    def event(self):
        change = {
            "revision": self.revision, "assets": {"inserted": ["new"] * self.added, "updated": [], "deleted": []},
            "collections": {"inserted": [], "updated": [], "deleted": []}, "transactions": []}
        return f"retry: 100\nid: {self.revision}\nevent: change\ndata: {json.dumps(change)}\n\n"

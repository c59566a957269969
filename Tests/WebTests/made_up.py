"""Libraries that are too large to import for a test. The test answers the page's requests for days
and cells in place of the server."""

import datetime
import json
from urllib.parse import parse_qs, urlparse

PIXEL = "AQGqmYg="  # a placeholder of one pixel
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360"><rect width="360" height="360" fill="#789"/></svg>'


class MadeUpLibrary:
    """A library of `total` assets, with `each` assets on each day from `newest` backward."""

    def __init__(self, total, each=25, newest="2026-03-04"):
        self.each = each
        self.newest = datetime.date.fromisoformat(newest)
        self.total = total
        self.added = 0
        self.requests = []

    @property
    def revision(self):
        return f"made-up-{self.added}"

    def add_today(self, count):
        """Adds assets on the day after the newest one."""
        self.added += count

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

    def serve(self, page):
        """Answers the page's requests."""
        page.route("**/api/library", lambda route: self.answer(route, {"name": "Made up", "assetCount": self.total}))
        page.route("**/api/days", self.answer_days)
        page.route("**/api/assets?*", self.answer_assets)
        page.route("**/renditions/**", lambda route: route.fulfill(content_type="image/svg+xml", body=PICTURE))

    def answer(self, route, value):
        route.fulfill(content_type="application/json", body=json.dumps({"revision": self.revision, **value}))

    def answer_days(self, route):
        if route.request.headers.get("if-none-match") == f'"{self.revision}"':
            route.fulfill(status=304)
        else:
            self.answer(route, {"total": self.total + self.added, "days": self.days()})

    def answer_assets(self, route):
        query = parse_qs(urlparse(route.request.url).query)
        offset, limit = int(query["offset"][0]), int(query["limit"][0])
        self.requests.append(offset)
        end = min(offset + limit, self.total + self.added)
        self.answer(route, {"offset": offset, "assets": [self.cell(index) for index in range(offset, end)]})

"""The parts of a grid view that tests look at."""

from conftest import until

CELLS = """[...document.querySelectorAll('.cell:not(.free)')].filter(cell => {
    const { top, bottom } = cell.getBoundingClientRect();
    return cell.dataset.id && bottom > 0 && top < innerHeight;
  }).map(cell => ({ id: cell.dataset.id, box: cell.getBoundingClientRect().toJSON(), label: cell.ariaLabel,
                    text: cell.textContent, picture: cell.querySelector('img')?.currentSrc ?? '' }))
  .sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)"""
ROWS = """[...document.querySelectorAll('side-bar [role=treeitem]')].map(row => ({
    id: row.dataset.collection, title: row.querySelector('.title').textContent, label: row.ariaLabel ?? '',
    count: row.querySelector('.count')?.textContent ?? null, level: Number(row.ariaLevel),
    pictures: row.querySelectorAll('.cover img').length, symbols: row.querySelectorAll('.cover svg').length }))"""
GRID = "document.querySelector('photo-grid')"
# Each cell in the window shows its picture, or why it can't, and has been at its place for two
# frames.
SETTLED = """(async () => {
  const look = () => {
    const cells = [...document.querySelectorAll('.cell:not(.free)')].map(cell => [cell, cell.getBoundingClientRect()])
      .filter(([, { top, bottom }]) => bottom > 0 && top < innerHeight);
    const isDrawn = ([cell]) => cell.dataset.id && (cell.classList.contains('unreadable') || cell.querySelector('img')?.naturalWidth > 0);
    return cells.length > 0 && cells.every(isDrawn) && cells.map(([{ dataset }, { left, top }]) => `${dataset.id} ${left} ${top}`).sort().join();
  };
  const before = look();
  if (!before) return false;
  for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
  return look() === before;
})()"""
FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


def cells(page):
    """Returns the cells in the window, from the top left."""
    return page.evaluate(CELLS)


def ids(page):
    return [cell["id"] for cell in cells(page)]


def rows(page):
    """Returns the rows of the sidebar, from the top."""
    return page.evaluate(ROWS)


def row(page, title):
    """Returns the element of a sidebar's row."""
    return page.locator("side-bar [role=treeitem]").filter(has=page.get_by_text(title, exact=True))


def until_shown(page, title, count=None):
    """Waits until the page shows a view."""
    until(page, f"document.querySelector('.view-header h1').textContent === {title!r}")
    if count is not None:
        until(page, f"{GRID}.snapshot.total === {count}")
    until(page, f"""[...document.querySelectorAll('.cell:not(.free)')].every(cell => cell.dataset.id)""")


def resize(page, size):
    """Resizes the window without reloading its page."""
    page.set_viewport_size({"width": size["width"], "height": page.viewport_size["height"]})
    until(page, f"innerWidth === {size['width']}")
    until(page, f"{GRID}.getBoundingClientRect().width <= {size['width']}")


def show_sidebar(page):
    """Shows the sidebar, which is a page of its own in a narrow window."""
    if page.viewport_size["width"] < 800 and not page.locator("side-bar").is_visible():
        page.locator(".bottom-bar [data-view=albums]").click()
        page.locator("side-bar").wait_for()


def open_view(page, title, count=None):
    """Opens a collection in the sidebar."""
    row(page, title).click()
    until_shown(page, title, count)


def place_of(page, id):
    """Returns the distance of an asset's cell from the window's top."""
    return page.evaluate(f"document.querySelector('.cell[data-id=\"{id}\"]')?.getBoundingClientRect().top ?? null")

/// First in, first out, at the same cost however many wait.
struct Line<Element> {
  private var elements: [Element] = []
  private var start = 0

  var first: Element? { start < elements.count ? elements[start] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard let first else { return nil }
    start += 1
    // Now and then.
    if start > 64, start * 2 > elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return first
  }

  /// Puts what was taken back to the front.
  mutating func putBack(_ taken: [Element]) {
    let front = max(0, start - taken.count)
    elements.replaceSubrange(front..<start, with: taken)
    start = front
  }

  mutating func removeAll(where isOut: (Element) -> Bool) {
    elements = elements[start...].filter { !isOut($0) }
    start = 0
  }
}

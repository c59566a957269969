/// A first-in, first-out queue. Taking the first element costs the same at any length.
///
/// It keeps some of the taken elements for a while, so the elements should be small.
struct FIFOQueue<Element> {
  private var elements: [Element] = []
  private var start = 0

  var first: Element? { start < elements.count ? elements[start] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard let first else { return nil }
    start += 1
    // Amortized: the taken elements are removed once they are the larger half.
    if start > 64, start * 2 > elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return first
  }

  /// Puts taken elements back in front.
  mutating func putBack(_ taken: [Element]) {
    let front = max(0, start - taken.count)
    elements.replaceSubrange(front..<start, with: taken)
    start = front
  }

  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements = elements[start...].filter { !isRemoved($0) }
    start = 0
  }
}

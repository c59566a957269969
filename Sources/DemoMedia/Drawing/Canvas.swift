/// A canvas to paint on: red, green and blue from 0 to 1 in sRGB codes, top row first.
///
///     let canvas = Canvas(width: 640, height: 480)
///     canvas.gradient([(0, Color(0x1B2B5A)), (1, Color(0xF7B267))])
///     canvas.disc(x: 320, y: 240, radius: 60, color: Color(0xFFF3C4))
///
/// Only one thread may paint on a canvas. Coordinates are pixels; fractions are antialiased.
final class Canvas {
  let width: Int
  let height: Int
  let pixels: UnsafeMutablePointer<Color>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = .allocate(capacity: width * height)
    pixels.initialize(repeating: Color(repeating: 0), count: width * height)
  }

  deinit { pixels.deallocate() }

  /// The width and the height as `Float`, for the drawing code.
  var w: Float { Float(width) }
  var h: Float { Float(height) }
  /// The unit of lengths: 1/1000 of the shorter side. With it, a scene looks the same at any size.
  var unit: Float { Float(min(width, height)) / 1000 }

  // MARK: - Painting the whole canvas

  /// Sets the color of each pixel.
  @inline(__always) func paint(_ color: (_ x: Float, _ y: Float) -> Color) {
    for y in 0..<height {
      let row = pixels + y * width
      for x in 0..<width { row[x] = color(Float(x), Float(y)) }
    }
  }

  /// Changes the color of each pixel in some rows, from its old color.
  @inline(__always) func change(
    from top: Float = 0, to bottom: Float = .infinity, _ color: (_ x: Float, _ y: Float, _ old: Color) -> Color
  ) {
    let first = max(0, Int(max(0, top)))
    let last = bottom >= h ? height : max(0, Int(bottom.rounded(.up)))
    guard first < last else { return }
    for y in first..<last {
      let row = pixels + y * width
      for x in 0..<width { row[x] = color(Float(x), Float(y), row[x]) }
    }
  }

  /// Paints a vertical gradient. Stops are fractions of the distance from `top` to `bottom`.
  func gradient(_ stops: [(at: Float, color: Color)], from top: Float = 0, to bottom: Float? = nil) {
    let bottom = bottom ?? h
    for y in max(0, Int(top))..<max(max(0, Int(top)), min(height, Int(bottom.rounded(.up)))) {
      let color = Color.between(stops, at: (Float(y) - top) / max(1, bottom - top))
      (pixels + y * width).update(repeating: color, count: width)
    }
  }

  // MARK: - Shapes

  /// Paints the pixels whose `distance` is negative, with a soft edge of `softness` pixels around
  /// them.
  @inline(__always) func shape(
    x: ClosedRange<Float>, y: ClosedRange<Float>, softness: Float = 1, opacity: Float = 1,
    color: (_ x: Float, _ y: Float) -> Color, distance: (_ x: Float, _ y: Float) -> Float
  ) {
    let firstX = max(0, Int(max(0, x.lowerBound - softness)))
    let lastX = min(width - 1, Int(min(w, x.upperBound + softness + 1)))
    let firstY = max(0, Int(max(0, y.lowerBound - softness)))
    let lastY = min(height - 1, Int(min(h, y.upperBound + softness + 1)))
    guard firstX <= lastX, firstY <= lastY else { return }
    for row in firstY...lastY {
      let line = pixels + row * width
      for column in firstX...lastX {
        let (fx, fy) = (Float(column), Float(row))
        let coverage = min(1, max(0, 0.5 - distance(fx, fy) / softness)) * opacity
        if coverage > 0 { line[column] += (color(fx, fy) - line[column]) * coverage }
      }
    }
  }

  func disc(x: Float, y: Float, radius: Float, color: Color, softness: Float = 1.2, opacity: Float = 1) {
    shape(
      x: x - radius...x + radius, y: y - radius...y + radius, softness: softness, opacity: opacity,
      color: { _, _ in color },
      distance: { px, py in ((px - x) * (px - x) + (py - y) * (py - y)).squareRoot() - radius })
  }

  /// Paints an ellipse, rotated clockwise by `angle` in radians.
  func ellipse(
    x: Float, y: Float, radiusX: Float, radiusY: Float, angle: Float = 0, softness: Float = 1.2, opacity: Float = 1,
    color: (_ along: Float, _ across: Float) -> Color
  ) {
    let (sine, cosine) = (sin32(angle), cos32(angle))
    let reach = max(radiusX, radiusY)
    let small = min(radiusX, radiusY)
    @inline(__always) func local(_ px: Float, _ py: Float) -> (Float, Float) {
      let (dx, dy) = (px - x, py - y)
      return ((dx * cosine + dy * sine) / radiusX, (dy * cosine - dx * sine) / radiusY)
    }
    shape(
      x: x - reach...x + reach, y: y - reach...y + reach, softness: softness, opacity: opacity,
      color: { px, py in
        let (a, b) = local(px, py)
        return color(a, b)
      },
      distance: { px, py in
        let (a, b) = local(px, py)
        return ((a * a + b * b).squareRoot() - 1) * small
      })
  }

  func rectangle(
    x: Float, y: Float, width: Float, height: Float, color: Color, radius: Float = 0, softness: Float = 1,
    opacity: Float = 1
  ) {
    rectangle(x: x, y: y, width: width, height: height, radius: radius, softness: softness, opacity: opacity) { _, _ in
      color
    }
  }

  func rectangle(
    x: Float, y: Float, width: Float, height: Float, radius: Float = 0, softness: Float = 1, opacity: Float = 1,
    color: (_ x: Float, _ y: Float) -> Color
  ) {
    guard width > 0, height > 0 else { return }
    let (halfX, halfY) = (width / 2, height / 2)
    let (midX, midY) = (x + halfX, y + halfY)
    shape(
      x: x...x + width, y: y...y + height, softness: softness, opacity: opacity, color: color,
      distance: { px, py in
        let dx = abs(px + 0.5 - midX) - halfX + radius
        let dy = abs(py + 0.5 - midY) - halfY + radius
        let outside = (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
        return outside + min(max(dx, dy), 0) - radius
      })
  }

  /// Paints a line with round ends. Its thickness may change along it.
  func line(
    _ x1: Float, _ y1: Float, _ x2: Float, _ y2: Float, thickness: Float, endThickness: Float? = nil, color: Color,
    softness: Float = 1, opacity: Float = 1
  ) {
    let (dx, dy) = (x2 - x1, y2 - y1)
    let lengthSquared = max(1e-6, dx * dx + dy * dy)
    let (r1, r2) = (thickness / 2, (endThickness ?? thickness) / 2)
    let reach = max(r1, r2)
    shape(
      x: min(x1, x2) - reach...max(x1, x2) + reach, y: min(y1, y2) - reach...max(y1, y2) + reach, softness: softness,
      opacity: opacity, color: { _, _ in color },
      distance: { px, py in
        let t = min(1, max(0, ((px - x1) * dx + (py - y1) * dy) / lengthSquared))
        let (ex, ey) = (px - x1 - dx * t, py - y1 - dy * t)
        return (ex * ex + ey * ey).squareRoot() - (r1 + (r2 - r1) * t)
      })
  }

  /// Paints a convex polygon with its corners in clockwise order.
  func polygon(
    _ corners: [(x: Float, y: Float)], softness: Float = 1, opacity: Float = 1,
    color: (_ x: Float, _ y: Float) -> Color
  ) {
    guard corners.count > 2 else { return }
    var edges: [SIMD4<Float>] = []
    for index in corners.indices {
      let (a, b) = (corners[index], corners[(index + 1) % corners.count])
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let length = max(1e-6, (dx * dx + dy * dy).squareRoot())
      edges.append(SIMD4(a.x, a.y, dy / length, -dx / length))
    }
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return }
    edges.withUnsafeBufferPointer { edges in
      shape(x: left...right, y: top...bottom, softness: softness, opacity: opacity, color: color) { px, py in
        var distance = -Float.infinity
        for edge in edges { distance = max(distance, (px - edge.x) * edge.z + (py - edge.y) * edge.w) }
        return distance
      }
    }
  }

  /// Paints everything below a line: hills, water, the ground. `crest` returns the y of the line in
  /// each column.
  func ground(
    _ crest: (_ x: Float) -> Float, softness: Float = 1.2, opacity: Float = 1,
    color: (_ x: Float, _ y: Float, _ depth: Float) -> Color
  ) {
    let line = (0..<width).map { crest(Float($0)) }
    guard let top = line.min() else { return }
    let first = max(0, Int(max(0, top - softness)))
    guard first < height else { return }
    line.withUnsafeBufferPointer { line in
      for y in first..<height {
        let row = pixels + y * width
        for x in 0..<width {
          let depth = Float(y) - line[x]
          let coverage = min(1, max(0, 0.5 + depth / softness)) * opacity
          if coverage > 0 { row[x] += (color(Float(x), Float(y), depth) - row[x]) * coverage }
        }
      }
    }
  }

  /// Adds light around a point.
  func glow(x: Float, y: Float, radius: Float, color: Color, strength: Float = 1) {
    let first = max(0, Int(max(0, y - radius)))
    let last = min(height, Int(min(h, y + radius)) + 1)
    let firstX = max(0, Int(max(0, x - radius)))
    let lastX = min(width, Int(max(0, min(w, x + radius))) + 1)
    guard first < last, firstX < lastX else { return }
    let scale = 1 / (radius * radius)
    for row in first..<last {
      let line = pixels + row * width
      let dy = Float(row) - y
      for column in firstX..<lastX {
        let dx = Float(column) - x
        let near = max(0, 1 - (dx * dx + dy * dy) * scale)
        // A screen blend, which never exceeds 1.
        let light = color * (near * near * strength)
        line[column] += light * max(Color(repeating: 0), Color(repeating: 1) - line[column])
      }
    }
  }
}

@inline(__always) private func max(_ a: Color, _ b: Color) -> Color { a.replacing(with: b, where: a .< b) }

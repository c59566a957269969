extension Camera {
  /// True if the camera is on the side of the screen, according to Apple's or Google's lens model:
  /// "iPhone 12 front camera 2.71mm f/2.2", "iPhone X front TrueDepth camera 2.87mm f/2.2", "Pixel
  /// 7 front camera 2.74mm f/2.2".
  ///
  /// Other makers' lens models don't contain this.
  var isFront: Bool {
    guard let lens else { return false }
    var rest = lens.utf8[...]
    while let found = rest.firstIndex(of: UInt8(ascii: "f")) {
      rest = rest[found...]
      if rest.starts(with: "front ".utf8) {
        return make == "Apple" || make == "Google"
          || ["iPhone ", "iPad ", "iPod ", "Pixel "].contains(where: lens.hasPrefix)
      }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension Camera {
  /// The lens is on the side of the screen: Apple's and Google's lens models say so, as "iPhone 12 front camera 2.71mm
  /// f/2.2", "iPhone X front TrueDepth camera 2.87mm f/2.2" and "Pixel 7 front camera 2.74mm f/2.2".
  ///
  /// Other makers' phones say nothing of the kind.
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

import MediaMetadata

/// Reads a sequence parameter set of HEVC (7.3.2.2 of ITU-T H.265), as far as its colors.
///
/// The sets of several layers are not read.
struct HEVCParameters {
  private var bits: VideoBits
  private var layers = 0

  /// Returns the code points (ITU-T H.273) of the primaries and of the transfer function; `nil` if
  /// the unit is of another kind or states none.
  static func colors(of unit: [UInt8]) -> ColorDescription? {
    var parameters = HEVCParameters(bits: VideoBits(unit))
    guard parameters.skipProfile(), let orderBits = parameters.skipSizes(), parameters.skipTools(),
      parameters.skipReferences(orderBits), parameters.bits.number(2) != nil, parameters.bits.flag() == true
    else { return nil }
    return parameters.colors()
  }

  /// Skips the header of the unit, and the profile and the level of each temporal layer.
  private mutating func skipProfile() -> Bool {
    let sequenceParameters = 33
    guard bits.number(13) == sequenceParameters << 6, bits.number(3) != nil, bits.number(4) != nil,
      let layers = bits.number(3), layers < 7, bits.number(1) != nil, skip(profile: true, level: true)
    else { return false }
    self.layers = layers
    var isPresent: [(profile: Bool, level: Bool)] = []
    for _ in 0..<layers {
      guard let profile = bits.flag(), let level = bits.flag() else { return false }
      isPresent.append((profile, level))
    }
    guard layers == 0 || bits.number(2 * (8 - layers)) != nil else { return false }
    return isPresent.allSatisfy { skip(profile: $0.profile, level: $0.level) }
  }

  private mutating func skip(profile: Bool, level: Bool) -> Bool {
    (!profile || bits.number(44) != nil && bits.number(44) != nil) && (!level || bits.number(8) != nil)
  }

  /// Skips the sizes of pictures and blocks. Returns the bits of a picture's number in the order of
  /// display.
  private mutating func skipSizes() -> Int? {
    guard bits.skip(1), let chroma = bits.variable(), bits.number(chroma == 3 ? 1 : 0) != nil, bits.skip(2),
      let isCropped = bits.flag(), bits.skip(isCropped ? 4 : 0), bits.skip(2), let orderBits = bits.variable(),
      orderBits <= 12, let isForEachLayer = bits.flag(), bits.skip(3 * (isForEachLayer ? layers + 1 : 1)),
      bits.skip(6)
    else { return nil }
    return orderBits + 4
  }

  private mutating func skipTools() -> Bool {
    guard let scales = bits.flag(), !scales || skipScalingLists(), bits.number(2) != nil,
      let hasPlainSamples = bits.flag()
    else { return false }
    return !hasPlainSamples || bits.number(8) != nil && bits.skip(2) && bits.number(1) != nil
  }

  private mutating func skipScalingLists() -> Bool {
    guard let arePresent = bits.flag() else { return false }
    guard arePresent else { return true }
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        guard let isCoded = bits.flag() else { return false }
        let count = min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0)
        guard bits.skip(isCoded ? count : 1) else { return false }
      }
    }
    return true
  }

  /// Skips the sets of pictures to which others refer.
  private mutating func skipReferences(_ orderBits: Int) -> Bool {
    guard let count = bits.variable(), count <= 64 else { return false }
    var distances: [Int] = []
    for index in 0..<count {
      guard let isPredicted = index == 0 ? false : bits.flag(),
        let next = isPredicted ? predicted(from: distances) : stated(), next.count <= 16
      else { return false }
      distances = next
    }
    guard let hasLongTerm = bits.flag() else { return false }
    guard hasLongTerm else { return true }
    guard let longTerm = bits.variable(), longTerm <= 32 else { return false }
    return (0..<longTerm).allSatisfy { _ in bits.number(orderBits + 1) != nil }
  }

  /// Reads the distances to the pictures of a set: to earlier ones, nearest first, then to later
  /// ones.
  private mutating func stated() -> [Int]? {
    guard let earlier = bits.variable(), let later = bits.variable(), earlier <= 16, later <= 16 else { return nil }
    var distances: [Int] = []
    for (count, sign) in [(earlier, -1), (later, 1)] {
      var distance = 0
      for _ in 0..<count {
        guard let step = bits.variable(), bits.flag() != nil else { return nil }
        distance += sign * (step + 1)
        distances.append(distance)
      }
    }
    return distances
  }

  /// Reads a set that is coded as the difference to the one before it.
  private mutating func predicted(from former: [Int]) -> [Int]? {
    guard let isEarlier = bits.flag(), let size = bits.variable() else { return nil }
    let difference = isEarlier ? -(size + 1) : size + 1
    var distances: [Int] = []
    // The last one is the picture of the former set itself.
    for distance in former + [0] {
      guard let isUsed = bits.flag(), let isKept = isUsed ? true : bits.flag() else { return nil }
      if isKept, distance + difference != 0 { distances.append(distance + difference) }
    }
    return distances.filter { $0 < 0 }.sorted(by: >) + distances.filter { $0 > 0 }.sorted()
  }

  /// Reads the beginning of the “video usability information” (E.2.1).
  private mutating func colors() -> ColorDescription? {
    guard let hasShape = bits.flag(), let shape = hasShape ? bits.number(8) : 0,
      bits.number(shape == 255 ? 32 : 0) != nil, let hasOverscan = bits.flag(),
      bits.number(hasOverscan ? 1 : 0) != nil, bits.flag() == true, bits.number(4) != nil, bits.flag() == true,
      let primaries = bits.number(8), let transfer = bits.number(8)
    else { return nil }
    return .coded(primaries: primaries, transfer: transfer)
  }
}

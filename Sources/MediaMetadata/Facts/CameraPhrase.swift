/// Default texts that cameras and programs write into title and caption, the same on each of their
/// photos.
enum CameraPhrase {
  /// Texts in lower case, found in files of these makers.
  private static let phrases: Set<String> = [
    "olympus digital camera", "minolta digital camera", "konica minolta digital camera", "sony dsc",
    "samsung camera pictures", "samsung digital camera", "kodak digital still camera", "jenoptik digital camera",
    "moultrie digital game camera", "digital camera", "digital still camera", "exif_jpeg_picture", "default",
  ]
  /// The scenes and lenses that Huawei's and Honor's phones write.
  private static let huaweiCodes: Set<String> = [
    "dav", "edf", "sdr", "hdr", "rhdr", "cof", "oznor", "oznorco", "mde", "nfd", "nor", "ptr", "fbt", "bty", "btf",
    "hbt",
  ]

  static func matches(_ text: String, camera: Camera) -> Bool {
    guard text.utf8.count <= 256 else { return false }
    let small = text.lowercased()
    if phrases.contains(small) { return true }
    // The maker's name, the model's name, or both.
    let make = camera.make?.lowercased() ?? ""
    let model = camera.model?.lowercased() ?? ""
    if small == make || small == model || small == "\(make) \(model)" { return true }
    if make.hasPrefix("huawei") || make.hasPrefix("honor"), huaweiCodes.contains(small) { return true }
    // A path on the card, as drones and action cameras write it; `<KENOX S1050  / Samsung S1050>`;
    // a program's JSON.
    if small.hasPrefix("dcim\\") || small.hasPrefix("dcim/") { return true }
    if text.hasPrefix("<") && text.hasSuffix(">") || text.hasPrefix("{") && text.hasSuffix("}") { return true }
    return isFileName(text)
  }

  /// Returns true for a file name by the rules of DCF (JEITA CP-3461): four letters, digits or
  /// underscores and four digits, perhaps with an extension.
  private static func isFileName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, let name = parts.first, name.count == 8,
      parts.count == 1 || (3...4).contains(parts[1].count)
    else { return false }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "_") }
    return name.suffix(4).allSatisfy(isDigit) && name.prefix(4).allSatisfy { isDigit($0) || isCapital($0) }
      && name.prefix(4).contains(where: isCapital)
  }
}

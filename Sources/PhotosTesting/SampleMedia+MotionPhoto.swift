import Foundation

extension SampleMedia {
  /// Makes a motion photo as Google's cameras write it: a JPEG followed by an MP4. The JPEG's XMP
  /// contains the length of the MP4.
  public static func motionPhoto(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata()
  ) throws(SampleError) -> Data {
    var metadata = metadata
    metadata.camera = metadata.camera ?? SampleMetadata.Camera(make: "Google", model: "Pixel 8")
    let scene = scene ?? SampleScene(seed: seed)
    let movieSize = PictureSize(width: max(64, size.width / 4), height: max(64, size.height / 4))
    let movie = try movie(
      duration: 1.5, size: movieSize, seed: seed, scene: scene, metadata: metadata, container: .mp4, hasAudio: false)
    let still = try jpeg(size: size, seed: seed, scene: scene, metadata: metadata)
    return inserting(motionPhotoXMP(movieByteCount: movie.count), into: still) + movie
  }

  private static func motionPhotoXMP(movieByteCount: Int) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" \
    xmlns:Container="http://ns.google.com/photos/1.0/container/" \
    xmlns:Item="http://ns.google.com/photos/1.0/container/item/" GCamera:MotionPhoto="1" \
    GCamera:MotionPhotoVersion="1" GCamera:MotionPhotoPresentationTimestampUs="750000"><Container:Directory><rdf:Seq>\
    <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Length="0" \
    Item:Padding="0"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4" \
    Item:Semantic="MotionPhoto" Item:Length="\(movieByteCount)" Item:Padding="0"/></rdf:li></rdf:Seq>\
    </Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
    """
  }

  /// Inserts XMP after the EXIF segment, which must come first.
  private static func inserting(_ xmp: String, into jpeg: Data) -> Data {
    let bytes = [UInt8](jpeg)
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] == 0xE1 {
      position += 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
    }
    let packet = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)
    return Data(bytes[..<position] + [0xFF, 0xE1] + bigEndian16(packet.count + 2) + packet + bytes[position...])
  }
}

import Sandbox

/// All endpoints. An endpoint's index is its number in messages. Program and worker have to
/// come from one build, and therefore have the same list.
let endpoints: [any Endpoint.Type] = {
  let endpoints: [any Endpoint.Type] = [
    ReadMetadata.self, ReadProperties.self, MakeRenditions.self, MakePicture.self, DecodeInOwnColors.self,
    ReadThumbnail.self, CarryMetadata.self, TurnJPEG.self, ConvertColors.self,
  ]
  #if DEBUG
    return endpoints + [Misbehave.self]
  #else
    return endpoints
  #endif
}()

/// A hash of the endpoints' names and of their blank messages. It differs between versions whose
/// messages differ, except for the elements of lists.
let messageLayout: UInt64 = {
  var coder = MessageCoder()
  for endpoint in endpoints { endpoint.putLayout(&coder) }
  // FNV-1a.
  return coder.bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}()

extension Endpoint {
  fileprivate static func putLayout(_ coder: inout MessageCoder) {
    coder.put("\(Self.self)")
    coder.put(Self.blank)
    coder.put(Message.blank)
  }
}

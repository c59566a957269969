/// All endpoints. An endpoint's index is its number in messages. Program and worker come from one
/// build, and therefore have the same list.
let endpoints: [any Endpoint.Type] = [
  ReadMetadata.self, ReadProperties.self, MakeRenditions.self, MakePicture.self, DecodeInOwnColors.self,
  ReadThumbnail.self, CarryMetadata.self, TurnJPEG.self, ConvertColors.self, Misbehave.self,
]

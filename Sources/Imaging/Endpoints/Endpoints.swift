/// All endpoints. An endpoint's place in the list is its number in messages; program and worker come
/// from one build.
let endpoints: [any Endpoint.Type] = [
  ReadMetadata.self, ReadProperties.self, MakeRenditions.self, MakePicture.self, DecodeInOwnColors.self,
  ReadThumbnail.self, CarryMetadata.self, TurnJPEG.self, ConvertColors.self, Misbehave.self,
]

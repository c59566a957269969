import Foundation
import ImageCoding
import MediaMetadata
import Sandbox

/// The program `calotype-worker`, which decodes files for another program.
///
///     ImagingWorker.run(CommandLine.arguments)
public enum ImagingWorker {
  public static func run(_ arguments: [String]) -> Never {
    WorkerProcess.run(arguments, preparing: WarmUp.run, serving: serve)
  }

  private static func serve(_ request: WorkerProcess.Request, _ reply: ReplyWriter) throws {
    var coder = MessageCoder(reading: request.message)
    let head: RequestHead = coder.get()
    guard head.layout == messageLayout else { throw MalformedReply("a request of another version") }
    let files = zip(head.files, request.descriptors).map { file, descriptor in
      MediaFile(
        descriptor: descriptor, name: file.name, byteCount: file.byteCount, modificationDate: file.modificationDate)
    }
    guard endpoints.indices.contains(Int(head.endpoint)), files.count == head.files.count,
      files.count == request.descriptors.count
    else { throw MalformedReply("an unknown request") }
    try endpoints[Int(head.endpoint)].serve(&coder, files: files, reply: reply, isTesting: request.isTesting)
  }
}

extension Endpoint {
  /// Reads a request, does its work and sends the answer.
  fileprivate static func serve(
    _ coder: inout MessageCoder, files: [MediaFile], reply: ReplyWriter, isTesting: Bool
  ) throws {
    let endpoint: Self = coder.get()
    guard coder.isComplete else { throw MalformedReply("a request that can't be read") }
    #if DEBUG
      guard isTesting || !(endpoint is Misbehave) else { throw MalformedReply("not a test") }
      for file in files where isTesting && endpoint.isToCrash(on: file) { _ = Misbehave.crash.perform(on: file) }
    #endif
    if files.count > 1 {
      guard let endpoint = endpoint as? any EndpointOfManyFiles else { throw MalformedReply("too many files") }
      return try endpoint.serve(files, reply)
    }
    guard let file = files.first else { throw MalformedReply("no file") }
    switch Result(catching: { () throws(ImagingError) in try endpoint.perform(on: file) }) {
    case .success(let answer): try endpoint.send(answer, with: reply)
    // A failure's message is the same for every endpoint.
    case .failure(let error): try reply.send(Reply<Int>.failure(error.code, reason: error.reason))
    }
  }
}

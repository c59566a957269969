import MediaMetadata
import Sandbox

/// An endpoint whose answers are small. A worker can answer about many files in one reply.
///
///     let answers = ReadMetadata(machineTimeZone: .current).answers(on: files)
protocol EndpointOfManyFiles: Endpoint where Message == Answer {}

extension EndpointOfManyFiles {
  func send(_ answer: Answer, with reply: ReplyWriter) throws { try reply.send(Reply.answer(answer)) }

  /// Asks a worker about all files, or does the work in this process if workers are turned off. The
  /// answers are in the order of the files.
  func answers(on files: [MediaFile]) -> [Result<Answer, ImagingError>] {
    stride(from: 0, to: files.count, by: mostFilesOfRequest).flatMap { start in
      answersToRequest(on: Array(files[start..<min(start + mostFilesOfRequest, files.count)]))
    }
  }

  private func answersToRequest(on files: [MediaFile]) -> [Result<Answer, ImagingError>] {
    if files.count > 1, usesWorker, let pool = try? Workers.pool(reading: files[0], usesDecoder: usesDecoder) {
      do throws(WorkerEnd) { return try pool.answer(to: call(on: files)) } catch {
        if error.isUnrelatedToFiles { return files.map { .failure(ImagingError(error, $0.name)) } }
        // The worker ended, or its reply was malformed. Each file is now read by itself, so that
        // only the file at fault fails.
      }
    }
    return files.map { file in Result { () throws(ImagingError) in try answer(on: file) } }
  }

  private func call(on files: [MediaFile]) -> WorkerCall<[Result<Answer, ImagingError>]> {
    WorkerCall(
      descriptors: files.map(\.descriptor), limitInSeconds: limits.seconds, isBrief: isBrief,
      write: { coder in
        coder.put(RequestHead(Self.self, files))
        coder.put(self)
      },
      read: { try read(&$0, on: files) })
  }

  /// Checks a reply about several files.
  func read(_ reply: inout ReplyReader, on files: [MediaFile]) throws -> [Result<Answer, ImagingError>] {
    let replies = try reply.list(of: Reply<Message>.self, count: files.count)
    return try zip(replies, files).map { answer, file in
      switch answer {
      case .answer(let message): .success(try read(message, &reply, on: file))
      case .failure(let code, let reason): .failure(try failure(code, reason: reason, reply, on: file))
      }
    }
  }

  /// Does the work and sends the answers, from within the worker.
  func serve(_ files: [MediaFile], _ reply: ReplyWriter) throws {
    try reply.send(
      files.map { file -> Reply<Message> in
        do throws(ImagingError) { return .answer(try perform(on: file)) } catch {
          return .failure(error.code, reason: error.reason)
        }
      })
  }
}

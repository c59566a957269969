// Programs on Apple's platforms ask for a file that the system has let them open. Here, a program
// may open what the file's permissions allow.

extension URL {
  /// Returns true: there are no files that a program has to ask for first.
  @discardableResult public func startAccessingSecurityScopedResource() -> Bool { true }

  /// Does nothing.
  public func stopAccessingSecurityScopedResource() {}
}

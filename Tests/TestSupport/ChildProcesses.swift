import Foundation

/// Returns the children of a process, or of this one, including those that have exited and have not
/// been waited for.
public func childProcesses(of process: String = "self") -> Set<pid_t> {
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
  return Set(
    threads.flatMap { thread -> [pid_t] in
      // The thread may have ended meanwhile.
      let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    })
}

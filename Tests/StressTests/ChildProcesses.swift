import Foundation

/// The processes that another one, or this one, has started and not yet buried.
func childProcesses(of process: String = "self") -> Set<pid_t> {
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
  return Set(
    threads.flatMap { thread -> [pid_t] in
      // A thread may have ended since.
      let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    })
}

// A reporter for Node's test runner. It writes the events that scripts/runner/state.py explains.
import { relative } from "node:path";

export default async function* events(source) {
  // The names of the tests around the current one, by file.
  const names = new Map();
  const failedFiles = new Set();
  for await (const { type, data } of source) {
    if (!data?.file || !data.name) continue;
    const file = relative("", data.file);
    const isFile = data.nesting === 0 && relative("", data.name) === file;
    const parents = names.get(file) ?? names.set(file, []).get(file);
    if (!isFile && type === "test:dequeue") parents.splice(data.nesting, Infinity, data.name);
    const test = [file, ...parents.slice(0, data.nesting), data.name].join(" > ");
    const error = data.details?.error;
    const text = error?.cause?.stack ?? error?.cause ?? error?.message ?? "failed";
    const lines = [];
    if (isFile && type === "test:dequeue") {
      // A test that takes the processor for ever keeps its process from naming it.
      lines.push({ event: "started", test: file });
    } else if (isFile) {
      if (type !== "test:complete") continue;
      // A file that could not be read has no failed test of its own.
      if (error && !failedFiles.has(file)) lines.push({ event: "failed", test: file, text: String(text) });
      else lines.push({ event: "withdrawn", test: file });
      lines.push({ event: "file ended", file });
    } else if (type === "test:enqueue") {
      // The parents of a test that waits in a queue are those that run.
      lines.push({ event: "collected", tests: [test] });
    } else if (type === "test:dequeue") {
      lines.push({ event: "withdrawn", test: file }, { event: "started", test });
    } else if (type === "test:complete") {
      const isSubtestFailure = error?.failureType === "subtestsFailed";
      if (error && !data.todo) failedFiles.add(file);
      if (error && !isSubtestFailure && !data.todo) lines.push({ event: "failed", test, text: String(text) });
      const reason = data.skip ?? data.todo;
      // A group counts by its tests.
      const isGroup = data.details?.type === "suite" && !error;
      if (isGroup || isSubtestFailure) lines.push({ event: "withdrawn", test });
      else if (reason !== undefined && reason !== false) {
        lines.push({ event: "skipped", test, text: reason === true ? "without a reason" : String(reason) });
      } else lines.push({ event: "ended", test, seconds: data.details.duration_ms / 1000 });
    }
    for (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  yield `${JSON.stringify({ event: "closed" })}\n`;
}

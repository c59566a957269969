// Writes the stack of the main thread once the file exists that CALOTYPE_TEST_STACK names. The
// runner makes it when a test hangs. A thread of its own does this, because a main thread in an
// endless loop answers no message.
const { existsSync, writeSync } = require("node:fs");
const { Session } = require("node:inspector");
const { isMainThread, Worker } = require("node:worker_threads");

const file = process.env.CALOTYPE_TEST_STACK;
if (!isMainThread) {
  let session;
  setInterval(() => {
    if (session || !existsSync(file)) return;
    const urls = new Map();
    session = new Session();
    session.connectToMainThread();
    session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
    session.on("Debugger.paused", ({ params }) => {
      const frames = params.callFrames.map(({ functionName, location }) =>
        `    at ${functionName || "(unnamed)"} ${urls.get(location.scriptId)}:${location.lineNumber + 1}\n`);
      writeSync(2, `The stack of process ${process.pid}:\n${frames.join("")}`);
      session.post("Debugger.resume");
    });
    // A main thread that waits has no stack.
    const expression = 'process.getActiveResourcesInfo().join(", ")';
    session.post("Runtime.evaluate", { expression }, (error, answer) =>
      writeSync(2, `process ${process.pid} waits for: ${error?.message ?? answer.result.value}\n`));
    session.post("Debugger.enable");
    session.post("Debugger.pause");
  }, 200);
} else if (file && process.env.NODE_TEST_CONTEXT) {
  // Node sets NODE_TEST_CONTEXT only in the processes that run a test file.
  new Worker(__filename, { execArgv: [] }).unref();
}

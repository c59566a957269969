// Writes the stack of the main thread once the runner makes the file CALOTYPE_TEST_STACK. It works
// in a thread of its own, because a main thread in an endless loop answers no message.
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
    session.post("Debugger.enable");
    session.post("Debugger.pause");
  }, 200);
} else if (file && process.env.NODE_TEST_CONTEXT) {
  // Only processes that run tests have a context.
  new Worker(__filename, { execArgv: [] }).unref();
}

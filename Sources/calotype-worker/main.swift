import Imaging

// Decodes untrusted files for programs that use the library. The process is sandboxed, and can do
// nothing else.
ImagingWorker.run(CommandLine.arguments)

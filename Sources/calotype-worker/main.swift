import Imaging

// Decodes strangers' files for the programs that use the library, in a process that can do nothing else.
ImagingWorker.run(CommandLine.arguments)

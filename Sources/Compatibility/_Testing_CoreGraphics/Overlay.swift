// The compiler imports this module into every file that imports both `Testing` and `CoreGraphics`.
// Swift's toolchain for Linux declares this import but doesn't contain the module. On Apple's
// platforms it makes images attachments of tests; here it is empty.

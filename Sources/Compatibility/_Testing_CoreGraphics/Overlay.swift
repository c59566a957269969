// The compiler imports this module wherever `Testing` and `CoreGraphics` meet in a file. Swift's toolchain for Linux says so and doesn't
// bring the module, which on Apple's platforms makes images attachments of tests; here it is empty.

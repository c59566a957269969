// The signatures of the samples mention scenes, sizes and random numbers.

@_exported public import DemoMedia

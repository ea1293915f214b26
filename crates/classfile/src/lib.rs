//! Class files, module images, jars and class paths: bytes in, classes out.

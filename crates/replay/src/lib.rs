//! Test cases as JUnit source, compiled and run on the real JVM; what the JVM did, and what it covered.

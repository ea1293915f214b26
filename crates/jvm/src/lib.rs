//! A symbolic machine for JVM bytecode: it runs states and offers arms; it never asks which are feasible.

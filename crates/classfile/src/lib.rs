//! Class files, module images, jars and class paths: bytes in, classes out.
//!
//! [`read`] turns the bytes of one class file, of any Java version up to 25, into a [`ClassFile`] whose code
//! is a list of [`Instruction`]s: one variant per meaning, jump targets as instruction indices. [`ClassPath`]
//! finds the bytes: in folders, in jars (multi-release ones too) and in a JDK's `lib/modules` image or its
//! `jmods`. [`plant_probes`] writes a class anew so that a run of it on the real JVM reports the branches
//! that it took; [`mutants`] are classes that differ in one instruction.
//!
//! ```
//! use evergreen_classfile::{ClassPath, Instruction, find_jdk, read};
//!
//! let mut path = ClassPath::new();
//! path.set_jdk(find_jdk()?);
//! let found = path.find("java/lang/Math")?.ok_or("not there")?;
//! let class = read(&found.bytes)?;
//! let max = class.method("max", "(II)I").and_then(|m| m.code.as_ref()).ok_or("no code")?;
//! assert!(max.instructions.iter().any(|i| matches!(i, Instruction::IfIcmp(..))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing in here panics on bad bytes, nor allocates more than a small multiple of what it was given;
//! nothing links, verifies or runs a class, and no terms are known.

mod annotation;
mod bytes;
mod class;
mod code;
mod decode;
mod descriptor;
mod instruction;
mod jdk;
mod jimage;
mod mutate;
mod path;
mod pool;
mod probe;
mod read;
mod source;
mod string;
mod zip;

pub use annotation::{Annotation, ElementValue};
pub use bytes::ReadError;
pub use class::{
    Body, Bootstrap, ClassFile, EnclosingMethod, Field, InnerClass, Method, MethodParameter, RecordComponent,
    access,
};
pub use code::{Code, Handler, LocalVariable, Switch, SwitchCases};
pub use descriptor::{MethodDescriptor, Type};
pub use instruction::{
    ArrayKind, Comparison, Conversion, Instruction, InvokeKind, Kind, Op, PoolIndex, Primitive, Rel, StackOp,
};
pub use jdk::{Jdk, JdkError, find_jdk, installed_jdks};
pub use jimage::{Jimage, Listed};
pub use mutate::{Mutant, Operator, mutants};
pub use path::{ClassPath, Found, Origin};
pub use pool::{Constant, ConstantPool, DynamicRef, Entry, HandleKind, Member, MemberKind};
pub use probe::{Arm, Left, Lines, PROBED_JVM_FLAGS, Probe, ProbeOptions, Probed, plant_probes};
pub use read::{read, read_outline};
pub use source::PathError;
pub use string::JavaString;
pub use zip::{Zip, crc32};

//! C sources to one WebAssembly module.
//!
//! Plain `-O0 -g`: each branch of the source is one of the module, so counts of paths compare with KLEE's.
//! `--cc-arg` comes last and wins. Library functions that a machine takes by name stay calls
//! (`-fno-builtin-memcpy`, ...), and `-mno-bulk-memory` keeps newer compilers from making instructions of
//! them. `-disable-red-zone` keeps frames of leaves above the stack pointer, so that memory below it is known
//! to be nobody's. The stack is at the bottom of the memory (`--stack-first`), so its overflow is an access
//! below address 0 and traps instead of overwriting globals.
//!
//! # Objects: red zones by the compiler
//! Memory of WebAssembly is flat: `char a[4]; a[i] = 1` just overwrites the neighbour. The pass of
//! AddressSanitizer [Serebryany USENIX ATC'12] lays out stack frames and globals with red zones and says
//! where they are; it is wanted without its checks, since the machine knows every access. The driver refuses
//! `-fsanitize=address` for wasm32, cc1 accepts it. What was found with LLVM 14, 16 and 19 (assembly and IR
//! read, modules run):
//!
//! - `-asan-instrument-{reads,writes,atomics,byval}=0`: no check of an access, so no load from the shadow.
//!   Without `byval=0` LLVM 14 checks structs that are passed by value, inline.
//! - `-asan-max-inline-poisoning-size=0`: the shadow of a frame is set by calls only,
//!   `__asan_set_shadow_XX(shadow, size)` with XX of 00, 01..07 (so many bytes of the last 8 are valid), f1
//!   (left), f2 (between), f3 (right), f5 (after return), f8 (after scope). The shadow address is `address >>
//!   3 | 0x20000000`, `size` counts shadow bytes. LLVM 14 has no 01..07 and stores these bytes inline at an
//!   address that is not in the memory: hence [`Checks::objects`] needs clang 15.
//! - `-asan-use-after-return=never`: frames stay on the stack; otherwise code asks
//!   `__asan_option_detect_stack_use_after_return` and calls `__asan_stack_malloc_N`.
//! - `-fsanitize-address-use-after-scope`: a variable is f8 outside of its block, as calls too.
//! - The first 12 bytes of a frame's left red zone (f1) are its header: 0x41b58ab3, the address of a text ("2
//!   16 4 1 a 32 7 3 b:5": count; offset, size, length of name, name with an optional line), the function.
//!   They are stored before the zone is marked. **At the end of the function 0x45e0360e is stored there while
//!   the zone is still marked**: a machine has to allow the store of this constant into f1. Frames are
//!   aligned to 32.
//! - Variables that are only read and written whole stay outside of such a frame: an access by a constant
//!   offset from the stack pointer cannot miss them. Arrays and variables whose address is used are inside.
//! - `alloca` and arrays of variable length: 32 bytes before and at least 32 behind,
//!   `__asan_alloca_poison(address, size)` after the allocation (the zones are [address - 32, address) and
//!   from address + size up to the next multiple of 32, plus 32), `__asan_allocas_unpoison(top, bottom)` for
//!   [top, bottom) before it ends; `top` is 0 if there was none.
//! - `__asan_handle_no_return()` before calls that do not return: nothing to do.
//! - Globals: `__asan_register_globals(first, n)`, n times 8 words: address, size, size with red zone, name
//!   (text), name of the source (text), has a dynamic initializer, place, ODR indicator. The place is a
//!   pointer to {file text, line, column} in LLVM 14 and 0 since 15. String literals are globals too. Zones
//!   follow objects: [address + size, address + size with red zone).
//! - `asan.module_ctor` calls `__asan_init` and the registration. It is a constructor of priority 1, so it
//!   runs first in `__wasm_call_ctors`: from `_start` in a program, from `_initialize` in a library. Without
//!   `-fsanitize-address-destructor=none` each source adds a function to `atexit` that unregisters.
//! - `-asan-memory-access-callback-prefix=` (empty) leaves `memcpy`, `memmove` and `memset` under their names
//!   in place of `__asan_memcpy`, ... All copies of structs become calls of `memcpy`.
//! - `-asan-guard-against-version-mismatch=0`: no call of `__asan_version_mismatch_check_v8`.
//! - wasi-libc is compiled without all this: its globals and frames have no zones. No branch is added.
//!
//! # Undefined behaviour
//! `-fsanitize=undefined` with traps (`-fsanitize-trap`) would end in `unreachable`, which does not say why.
//! The *minimal runtime* is as small and says it: a violated check calls an import without parameters,
//! `__ubsan_handle_NAME_minimal_abort` (`builtin_unreachable` and `missing_return` without `_abort`). NAME is
//! `add_overflow`, `sub_overflow`, `mul_overflow`, `negate_overflow`, `divrem_overflow`,
//! `shift_out_of_bounds`, `out_of_bounds`, `type_mismatch` (null or misaligned), `load_invalid_value`,
//! `float_cast_overflow`, `vla_bound_not_positive`, `nonnull_arg`, `invalid_builtin`, ... Nothing is linked.
//! Left out: `pointer-overflow` (a branch at every pointer arithmetic; the access itself is checked),
//! `object-size` (nothing at `-O0`), `function` and `vptr` (need more runtime).
//!
//! # Programs and functions
//! A program with `main` is a *command*: `_start`, which is ours (`runtime/start.c`). In a command each
//! other export is wrapped by constructors and destructors, which would run anew at each call, so a function
//! as the entry makes a *reactor*: `_initialize` runs the constructors once, and the functions are exported
//! as they are. Then `main` need not exist. What is undefined becomes an import of "env"
//! (`--import-undefined`): the intrinsics of harnesses and checks, and what the program lacks. A name that is
//! to be exported and an undefined variable stay errors of the linker, unlike with `--allow-undefined`.

use crate::clang::{TARGET, flag, shown};
use crate::headers::Scratch;
use crate::{Clang, CompileError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The size of the stack: 16 times the default of wasm-ld, an eighth of what a native program has on Linux.
pub const STACK_BYTES: u32 = 1 << 20;

/// The oldest clang that sets all of the shadow by calls.
const OBJECTS_SINCE: u32 = 15;

/// Library functions that stay calls by name.
const CALLED: [&str; 22] = [
    "memchr", "memcmp", "memcpy", "memmove", "memset", "strcat", "strchr", "strcmp", "strcpy", "strlen",
    "strncat", "strncmp", "strncpy", "strnlen", "strrchr", "strstr", "strpbrk", "strspn", "strcspn",
    "malloc", "calloc", "free",
];

/// cc1's own flags for red zones.
const OBJECTS_CC1: [&str; 3] =
    ["-fsanitize=address", "-fsanitize-address-use-after-scope", "-fsanitize-address-destructor=none"];

/// The pass's flags for red zones.
const OBJECTS_PASS: [&str; 8] = [
    "-asan-instrument-reads=0",
    "-asan-instrument-writes=0",
    "-asan-instrument-atomics=0",
    "-asan-instrument-byval=0",
    "-asan-max-inline-poisoning-size=0",
    "-asan-use-after-return=never",
    "-asan-guard-against-version-mismatch=0",
    "-asan-memory-access-callback-prefix=",
];

/// A `switch` is one instruction with a target for each group of labels, so that a path is one target.
/// Without these a sparse one becomes a chain of comparisons, and each label of a target has a path of its
/// own. A table has at most 100 entries for each label.
const SWITCHES: [&str; 4] = ["-mllvm", "-jump-table-density=1", "-mllvm", "-min-jump-table-entries=2"];

/// Parts of POSIX that wasi-libc has in libraries of their own: the macro that its headers ask for, and the
/// library. `signal` and `raise` work within the process, `mmap` of a file reads it, `getpid` is a constant.
const EMULATED: [(&str, &str); 4] = [
    ("-D_WASI_EMULATED_SIGNAL", "wasi-emulated-signal"),
    ("-D_WASI_EMULATED_MMAN", "wasi-emulated-mman"),
    ("-D_WASI_EMULATED_PROCESS_CLOCKS", "wasi-emulated-process-clocks"),
    ("-D_WASI_EMULATED_GETPID", "wasi-emulated-getpid"),
];

const UNDEFINED: [&str; 4] = [
    "-fsanitize=undefined",
    "-fno-sanitize=pointer-overflow,object-size,function,vptr",
    "-fno-sanitize-recover=all",
    "-fsanitize-minimal-runtime",
];

/// What the compiler adds so that a machine sees more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Red zones around variables, and calls that say where.
    pub objects: bool,
    /// Undefined behaviour ends in a call that names it.
    pub undefined: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { objects: true, undefined: false }
    }
}

/// Where a module is entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Entry {
    /// `main`, by the export `_start`.
    #[default]
    Main,
    /// These functions, each an export; the export `_initialize` runs first.
    Functions(Vec<String>),
    /// The same, without those that do not exist.
    Optional(Vec<String>),
}

/// What is compiled together.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// C or C++ sources; object files and archives for WebAssembly as well.
    pub files: Vec<PathBuf>,
    /// Folders of the include path.
    pub include: Vec<PathBuf>,
    /// Further arguments of the compiler, after ours.
    pub args: Vec<OsString>,
    /// Where the module is entered.
    pub entry: Entry,
    /// What the compiler adds.
    pub checks: Checks,
}

/// A module.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Its bytes.
    pub module: Vec<u8>,
    /// The command that made it, as a line for a shell; the folders of headers and output are gone.
    pub command: String,
    /// Warnings of the compiler and the linker, as they wrote them.
    pub warnings: String,
}

/// Is the file C or C++, by its name?
pub fn is_source(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "c") || is_cpp(file)
}

/// Is the file C++, by its name?
pub fn is_cpp(file: &Path) -> bool {
    file.extension().is_some_and(|e| ["cc", "cpp", "cxx", "C"].iter().any(|cpp| e == *cpp))
}

impl Clang {
    /// Compiles and links.
    pub fn compile(&self, sources: &Sources) -> Result<Compiled, CompileError> {
        let scratch = Scratch::new()?;
        let output = scratch.path().join("module.wasm");
        let mut command = Command::new(&self.program);
        command.args([TARGET, "-O0", "-g", "-mno-bulk-memory", "-Xclang", "-disable-red-zone"]);
        command.args(SWITCHES).args(CALLED.map(|name| format!("-fno-builtin-{name}")));
        command.arg("-nostdlibinc").arg("-idirafter").arg(&self.headers);
        command.args(self.checks(sources.checks)?);
        if sources.files.iter().any(|file| is_cpp(file)) {
            command.args(self.cpp()?);
        }
        let emulated: Vec<_> = EMULATED.iter().filter(|(_, library)| self.has_library(library)).collect();
        command.args(emulated.iter().map(|(define, _)| define));
        command.args(linking(&sources.entry));
        command.args(sources.include.iter().map(|folder| flag("-I", folder)));
        command.arg(flag("-I", scratch.include())).args(&sources.args);
        if sources.entry == Entry::Main {
            command.args(["-nostartfiles", "-x", "c"]).arg(scratch.start()).args(["-x", "none"]);
        }
        command.args(sources.files.iter().map(|file| as_file(file)));
        command.args(emulated.iter().map(|(_, library)| format!("-l{library}"))).arg("-o").arg(&output);
        let run = command.output().map_err(|e| CompileError::io(&self.program, e))?;
        let said = String::from_utf8_lossy(&run.stderr);
        if !run.status.success() {
            return Err(CompileError::Rejected(said.trim_end().to_string()));
        }
        let module = std::fs::read(&output).map_err(|e| CompileError::io(&output, e))?;
        Ok(Compiled { module, command: shown(&command), warnings: said.into_owned() })
    }

    fn has_library(&self, name: &str) -> bool {
        self.libraries.join(format!("lib{name}.a")).is_file()
    }

    /// The flags of checks.
    fn checks(&self, checks: Checks) -> Result<Vec<&'static str>, CompileError> {
        let mut flags = Vec::new();
        if checks.objects {
            if self.version < OBJECTS_SINCE {
                return Err(CompileError::NoCompiler(format!(
                    "{}: clang {} cannot mark the bounds of variables\nhelp: clang {OBJECTS_SINCE} or later \
                     can: run scripts/setup.sh c; or switch this check off",
                    self.program.display(),
                    self.version
                )));
            }
            flags.extend(OBJECTS_CC1.iter().flat_map(|flag| ["-Xclang", flag]));
            flags.extend(OBJECTS_PASS.iter().flat_map(|flag| ["-mllvm", flag]));
        }
        if checks.undefined {
            flags.extend(UNDEFINED);
        }
        Ok(flags)
    }

    /// The flags for C++, if its library is there. WebAssembly has no exceptions here.
    fn cpp(&self) -> Result<Vec<OsString>, CompileError> {
        let lacks = || {
            CompileError::NoCompiler(format!(
                "{}: has no C++ library for wasm32-wasi\nhelp: install libc++-{}-dev-wasm32",
                self.program.display(),
                self.version
            ))
        };
        // Debian keeps the headers beside the library that its link points to.
        let library = self.libraries.join("libc++.a").canonicalize().map_err(|_| lacks())?;
        let beside = |root: &Path| root.join("include/wasm32-wasi/c++/v1");
        let headers =
            library.ancestors().skip(1).map(beside).find(|folder| folder.is_dir()).ok_or_else(lacks)?;
        let mut flags: Vec<OsString> =
            ["--driver-mode=g++", "-fno-exceptions", "-nostdinc++", "-isystem"].map(OsString::from).into();
        flags.push(headers.into());
        Ok(flags)
    }
}

/// The flags of the linker.
fn linking(entry: &Entry) -> Vec<String> {
    let mut flags: Vec<String> = [
        "-Wl,--stack-first",
        "-Wl,--import-undefined",
        "-Wl,--export-if-defined=__heap_base",
        "-Wl,--export-if-defined=__data_end",
    ]
    .map(String::from)
    .into();
    flags.push(format!("-Wl,-z,stack-size={STACK_BYTES}"));
    let (names, flag) = match entry {
        Entry::Main => return flags,
        Entry::Functions(names) => (names, "export"),
        Entry::Optional(names) => (names, "export-if-defined"),
    };
    flags.push("-mexec-model=reactor".into());
    flags.extend(names.iter().map(|name| format!("-Wl,--{flag}={name}")));
    flags
}

/// A file that begins with a dash is no flag.
pub(crate) fn as_file(file: &Path) -> PathBuf {
    if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(file)
    } else {
        file.into()
    }
}

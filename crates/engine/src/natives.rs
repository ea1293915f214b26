//! Functions of a module that a symbolic machine models in place of executing them.

/// The modelled functions of a module, by function index (imports count).
#[derive(Clone, Debug, Default)]
pub struct Natives {
    /// Functions that run their own code, such as `memcpy`, `strlen`, `strcmp`. Decisions inside them, and in
    /// what they call, are not counted: a machine that computes the result at once takes none.
    pub pure: Vec<u32>,
    /// Functions whose body becomes a call to the [`Host`](crate::Host).
    pub replaced: Vec<(u32, Native)>,
}

/// A function that the host executes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Native {
    /// `void *malloc(size_t size)`.
    Malloc,
    /// `void *calloc(size_t count, size_t size)`.
    Calloc,
    /// `void *realloc(void *object, size_t size)`.
    Realloc,
    /// `void *reallocarray(void *object, size_t count, size_t size)`.
    ReallocArray,
    /// `void free(void *object)`.
    Free,
    /// `void *aligned_alloc(size_t alignment, size_t size)`, and `memalign`.
    AlignedAlloc,
    /// `int posix_memalign(void **out, size_t alignment, size_t size)`.
    PosixMemalign,
    /// `size_t malloc_usable_size(void *object)`.
    UsableSize,
    /// `void abort(void)`.
    Abort,
    /// `void __assert_fail(const char *condition, const char *file, int line, const char *function)`.
    AssertFail,
    /// `void exit(int code)`, and `_exit`, `_Exit`: no handlers run, nothing is flushed.
    Exit,
    /// A function of the caller's own host.
    Other(String),
}

impl Native {
    /// The native of a C function by its name; none for those that keep their bodies.
    pub fn of(name: &str) -> Option<Native> {
        Some(match name {
            "malloc" => Native::Malloc,
            "calloc" => Native::Calloc,
            "realloc" => Native::Realloc,
            "reallocarray" => Native::ReallocArray,
            "free" => Native::Free,
            "aligned_alloc" | "memalign" => Native::AlignedAlloc,
            "posix_memalign" => Native::PosixMemalign,
            "malloc_usable_size" => Native::UsableSize,
            "abort" => Native::Abort,
            "__assert_fail" => Native::AssertFail,
            "exit" | "_exit" | "_Exit" => Native::Exit,
            _ => return None,
        })
    }

    /// The type that the function has to have, as letters; none where any will do.
    pub(crate) fn letters(&self) -> Option<&'static str> {
        Some(match self {
            Native::Malloc | Native::UsableSize => "i:i",
            Native::Calloc | Native::Realloc | Native::AlignedAlloc => "ii:i",
            Native::ReallocArray | Native::PosixMemalign => "iii:i",
            Native::Free | Native::Exit => "i:",
            Native::Abort => ":",
            Native::AssertFail => "iiii:",
            Native::Other(_) => return None,
        })
    }
}

//! The host of replaced functions, and the standard one: an allocator and ways to end a run.

use crate::end::{End, Failure, TrapKind};
use crate::heap::{ALIGNMENT, Heap, Place};
use crate::natives::Native;
use crate::value::Val;

/// Bytes of a page of linear memory.
pub(crate) const PAGE: u64 = 65_536;

/// WASI's number for an invalid argument.
const EINVAL: u32 = 28;
/// WASI's number for not enough memory.
const ENOMEM: u32 = 48;

/// The linear memory of a running module.
pub trait Linear {
    /// All bytes.
    fn bytes(&mut self) -> &mut [u8];
    /// Adds pages of zeros; false, and no change, if a limit forbids it.
    fn grow(&mut self, pages: u32) -> bool;
}

/// What executes the replaced functions of a module. A new one for each test: it may keep state.
pub trait Host: Send {
    /// Executes a function: its result if it has one, or how the run ends.
    fn call(&mut self, native: &Native, args: &[Val], memory: &mut dyn Linear) -> Result<Option<Val>, End>;

    /// The heap, if this host has one: read into the report of a run.
    fn heap(&self) -> Option<&Heap> {
        None
    }
}

/// The standard host: an allocator over a [`Heap`], `abort`, `__assert_fail`, `exit`.
///
/// | function | result |
/// |---|---|
/// | `malloc`, `aligned_alloc` | a new object at its place, zeros; 0 if memory cannot grow that far |
/// | `calloc`, `reallocarray` | as `malloc` of the product; 0 if the product is not below 2^32 |
/// | `realloc` | a new object, always; the lesser size is copied, the old object freed; of 0 it is `malloc` |
/// | `free` | marks the object; of 0 nothing; else [`Failure::InvalidFree`] or [`Failure::DoubleFree`] |
/// | `posix_memalign` | 0; 28 if the alignment is no power of two or below 4; 48 if memory cannot grow |
/// | `malloc_usable_size` | the size that was asked for; 0 of an address that is no object |
///
/// `errno` is not set: its address is the module's own. Memory grows to cover the red zone of the object.
#[derive(Clone, Debug)]
pub struct Standard {
    heap: Heap,
}

impl Standard {
    /// A host whose objects lie in `heap`.
    pub fn new(heap: Heap) -> Standard {
        Standard { heap }
    }

    fn allocate(&mut self, size: u32, alignment: u32, memory: &mut dyn Linear) -> u32 {
        let before = self.heap.next();
        let Some(place) = self.heap.add(size, alignment) else { return 0 };
        if cover(place, memory) {
            return place.start;
        }
        self.heap.take_back(place, before);
        0
    }

    fn release(&mut self, address: u32) -> Result<u32, End> {
        match self.heap.free(address) {
            None => Err(End::Failed(Failure::InvalidFree(address))),
            Some(object) if !object.live => Err(End::Failed(Failure::DoubleFree(address))),
            Some(object) => Ok(object.size),
        }
    }

    fn reallocate(&mut self, address: u32, size: u32, memory: &mut dyn Linear) -> Result<u32, End> {
        if address == 0 {
            return Ok(self.allocate(size, ALIGNMENT, memory));
        }
        let Some(object) = self.heap.object(address) else {
            return Err(End::Failed(Failure::InvalidFree(address)));
        };
        if !object.live {
            return Err(End::Failed(Failure::DoubleFree(address)));
        }
        let new = self.allocate(size, ALIGNMENT, memory);
        if new != 0 {
            let (from, length) = (address as usize, object.size.min(size) as usize);
            memory.bytes().copy_within(from..from + length, new as usize);
            self.release(address)?;
        }
        Ok(new)
    }

    fn memalign(&mut self, args: [u32; 3], memory: &mut dyn Linear) -> Result<u32, End> {
        let [out, alignment, size] = args;
        if !alignment.is_power_of_two() || alignment < 4 {
            return Ok(EINVAL);
        }
        let address = self.allocate(size, alignment, memory);
        if address == 0 {
            return Ok(ENOMEM);
        }
        let cell = memory.bytes().get_mut(out as usize..).and_then(|rest| rest.get_mut(..4));
        cell.ok_or(End::Trapped(TrapKind::MemoryOutOfBounds))?.copy_from_slice(&address.to_le_bytes());
        Ok(0)
    }
}

/// Grows memory until it contains a place with its red zone.
pub(crate) fn cover(place: Place, memory: &mut dyn Linear) -> bool {
    let missing = u64::from(place.next).saturating_sub(memory.bytes().len() as u64).div_ceil(PAGE);
    missing == 0 || memory.grow(missing as u32)
}

/// The text at an address up to its zero byte, as well as it can be read.
pub(crate) fn text(memory: &[u8], address: u32) -> String {
    let rest = memory.get(address as usize..).unwrap_or_default();
    let end = rest.iter().position(|&byte| byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&rest[..end]).into_owned()
}

impl Host for Standard {
    fn call(&mut self, native: &Native, args: &[Val], memory: &mut dyn Linear) -> Result<Option<Val>, End> {
        let arg = |at: usize| args.get(at).map_or(0, |value| value.bits() as u32);
        let result = match native {
            Native::Malloc => self.allocate(arg(0), ALIGNMENT, memory),
            Native::Calloc => match arg(0).checked_mul(arg(1)) {
                Some(size) => self.allocate(size, ALIGNMENT, memory),
                None => 0,
            },
            Native::Realloc => self.reallocate(arg(0), arg(1), memory)?,
            Native::ReallocArray => match arg(1).checked_mul(arg(2)) {
                Some(size) => self.reallocate(arg(0), size, memory)?,
                None => 0,
            },
            Native::AlignedAlloc => self.allocate(arg(1), arg(0), memory),
            Native::PosixMemalign => self.memalign([arg(0), arg(1), arg(2)], memory)?,
            Native::UsableSize => self.heap.object(arg(0)).map_or(0, |object| object.size),
            Native::Free => {
                if arg(0) != 0 {
                    self.release(arg(0))?;
                }
                return Ok(None);
            }
            Native::Abort => return Err(End::Failed(Failure::Abort)),
            Native::Exit => return Err(End::Exited(arg(0) as i32)),
            Native::AssertFail => {
                let bytes = memory.bytes();
                return Err(End::Failed(Failure::Assert {
                    condition: text(bytes, arg(0)),
                    file: text(bytes, arg(1)),
                    line: arg(2),
                    function: text(bytes, arg(3)),
                }));
            }
            Native::Other(name) => {
                return Err(End::Failed(Failure::Report {
                    file: String::new(),
                    line: 0,
                    message: format!("the standard host has no function '{name}'"),
                    suffix: "native".to_string(),
                }));
            }
        };
        Ok(Some(Val::I32(result as i32)))
    }

    fn heap(&self) -> Option<&Heap> {
        Some(&self.heap)
    }
}

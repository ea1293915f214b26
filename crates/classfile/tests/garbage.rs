//! Damaged class files, images and archives: never a panic, never more memory than a
//! small multiple of the input.

use evergreen_classfile::{Jimage, Zip, find_jdk, read, read_outline};
use evergreen_structures::Random;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what this thread has allocated and the most it ever had.
struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    NOW.with(|now| {
        now.set(now.get() + bytes);
        MOST.with(|most| most.set(most.get().max(now.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most memory that `work` has in use beyond what was there before.
fn most_memory(work: impl FnOnce()) -> usize {
    let before = NOW.get();
    MOST.set(before);
    work();
    (MOST.get() - before) as usize
}

fn class(name: &str) -> Vec<u8> {
    find_jdk().expect("a JDK").find(name).unwrap().expect(name).bytes
}

/// Reads; whether it was accepted. Memory is bounded either way.
fn try_read(bytes: &[u8]) -> bool {
    let mut accepted = false;
    let most = most_memory(|| accepted = read(bytes).is_ok());
    // Measured: sound classes take about 16 bytes per byte.
    assert!(most <= 64 * bytes.len() + 4096, "{most} bytes of memory for {} of input", bytes.len());
    // A file that the outline refuses, the whole reader refuses too.
    assert!(read_outline(bytes).is_ok() || !accepted);
    accepted
}

const VICTIMS: [&str; 5] = [
    "java/lang/Math",
    "java/util/stream/Collectors",
    "java/lang/annotation/Retention",
    "java/util/HashMap$Node",
    "java/lang/Runtime$Version",
];

#[test]
fn every_truncation_is_refused() {
    for name in VICTIMS {
        let bytes = class(name);
        assert!(try_read(&bytes));
        for cut in (0..bytes.len()).step_by(bytes.len() / 400 + 1) {
            assert!(!try_read(&bytes[..cut]), "{name} cut at {cut}");
        }
    }
}

#[test]
fn mutations_never_panic() {
    let mut numbers = Random::new(0x5EED);
    let (mut accepted, mut refused) = (0, 0);
    for name in VICTIMS {
        let good = class(name);
        for _ in 0..1500 {
            let mut bytes = good.clone();
            for _ in 0..=numbers.below(4) {
                let at = numbers.below(bytes.len());
                match numbers.below(4) {
                    0 => bytes[at] ^= 1 << numbers.below(8),
                    1 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][numbers.below(5)],
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, numbers.below(256) as u8),
                }
            }
            if try_read(&bytes) { accepted += 1 } else { refused += 1 }
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted} accepted, {refused} refused");
}

#[test]
fn short_references_to_long_texts_cost_nothing() {
    // Twenty thousand bootstrap arguments, all the same string of 65,535 characters.
    let mut pool = vec![1, 0xFF, 0xFF];
    pool.extend(vec![b'x'; 0xFFFF]);
    for (tag, text) in [(1, "T"), (1, "BootstrapMethods"), (1, "()V")] {
        pool.extend([tag, 0, text.len() as u8]);
        pool.extend(text.bytes());
    }
    pool.extend([8, 0, 1, 7, 0, 2, 12, 0, 2, 0, 4, 10, 0, 6, 0, 7, 15, 6, 0, 8]);
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 55, 0, 10];
    bytes.extend(pool);
    bytes.extend([0x00, 0x21, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3]);
    let mut body = vec![0, 1, 0, 9];
    body.extend(20_000u16.to_be_bytes());
    body.extend([0, 5].repeat(20_000));
    bytes.extend((body.len() as u32).to_be_bytes());
    bytes.extend(body);
    assert!(try_read(&bytes), "{:?}", read(&bytes).err());
}

#[test]
fn damaged_archives_and_images_never_panic() {
    let mut numbers = Random::new(0xA2C);
    // One stored entry `a.class` of three bytes, then the directory and the end record.
    let zip: Vec<u8> = stored_zip("a.class", b"abc");
    assert_eq!(Zip::from_bytes(zip.clone()).unwrap().find("a.class").unwrap().as_deref(), Some(&b"abc"[..]));
    let image = tiny_image();
    assert!(Jimage::from_bytes(image.clone()).unwrap().find("p/C").unwrap().is_some());
    for _ in 0..20_000 {
        let mut bytes = zip.clone();
        damage(&mut bytes, &mut numbers);
        if let Ok(zip) = Zip::from_bytes(bytes) {
            let _ = zip.find("a.class");
        }
        let mut bytes = image.clone();
        damage(&mut bytes, &mut numbers);
        if let Ok(image) = Jimage::from_bytes(bytes) {
            let _ = (image.find("p/C"), image.classes());
        }
    }
}

fn damage(bytes: &mut Vec<u8>, numbers: &mut Random) {
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(bytes.len());
        match numbers.below(3) {
            0 => bytes[at] ^= 1 << numbers.below(8),
            1 => bytes[at] = 0xFF,
            _ => bytes.truncate(at.max(1)),
        }
    }
}

fn stored_zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let header = |bytes: &mut Vec<u8>| {
        bytes.extend([20, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(0x3524_41C2u32.to_le_bytes());
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend([0, 0]);
    };
    bytes.extend(b"PK\x03\x04");
    header(&mut bytes);
    bytes.extend(name.bytes());
    bytes.extend(content);
    let directory = bytes.len();
    bytes.extend(b"PK\x01\x02\x14\x00");
    header(&mut bytes);
    bytes.extend([0; 14]);
    bytes.extend(name.bytes());
    let size = bytes.len() - directory;
    bytes.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    bytes.extend((size as u32).to_le_bytes());
    bytes.extend((directory as u32).to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

/// An image of two resources, `/m/p/C.class` and `/packages/p`, in a table of two slots that
/// redirects to each directly.
fn tiny_image() -> Vec<u8> {
    let hash = |path: &str| {
        path.bytes().fold(0x0100_0193u32, |h, b| h.wrapping_mul(0x0100_0193) ^ u32::from(b)) & 0x7FFF_FFFF
    };
    // Strings: "" at 0, "m" at 1, "p" at 3, "C" at 5, "class" at 7, "packages" at 13.
    let strings = b"\0m\0p\0C\0class\0packages\0";
    let class = [8, 1, 16, 3, 24, 5, 32, 7, 40, 0, 56, 4, 0];
    let package = [8, 13, 24, 3, 40, 4, 56, 8, 0];
    let slots = 64u32;
    let mut redirect = vec![0i32; slots as usize];
    let mut offsets = vec![0u32; slots as usize];
    for (path, slot, at) in [("/m/p/C.class", 0, 0), ("/packages/p", 1, class.len() as u32)] {
        redirect[(hash(path) % slots) as usize] = -1 - slot;
        offsets[slot as usize] = at;
    }
    let mut bytes = Vec::new();
    for word in
        [0xCAFE_DADA, 0x1_0000, 0, 2, slots, (class.len() + package.len()) as u32, strings.len() as u32]
    {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(redirect.iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend(offsets.iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend(class);
    bytes.extend(package);
    bytes.extend(strings);
    bytes.extend(b"\xCA\xFE\xBA\xBE");
    bytes.extend([0, 0, 0, 0, 1, 0, 0, 0]);
    bytes
}

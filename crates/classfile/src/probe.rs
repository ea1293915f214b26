//! Plants probes in a class: every arm of every branch, and every source line if wanted, calls a static
//! method with its own number, so that a run on the real JVM reports its path.
//!
//! A conditional jump `if C -> T` becomes
//! ```text
//!        if C -> taken          the jump of before, now always a near one
//!        hit(fallthrough)
//!        goto after
//! taken: hit(taken)
//!        goto T
//! after:
//! ```
//! and a switch jumps to blocks that stand right behind it, one per case and one for the default.
//! Everything stays where it was in the order of the code, so handler ranges cover what they covered and
//! far jumps are needed only in long methods. Jumps from elsewhere go to the labels of before, behind the
//! probes of the branch above them.
//!
//! Stack maps are dropped: writing them would need the types of every variable at every new label.
//! So a probed class of version 51 or later must be loaded without verification:
//! [`PROBED_JVM_FLAGS`]. Cost: linear.

mod layout;
mod tables;

use crate::bytes::{Cursor, ReadError};
use crate::class::{ClassFile, Method};
use crate::code::Code;
use crate::pool::ConstantPool;
use crate::read::read;
use layout::{Layout, Site};
use std::fmt;

/// The flags with which `java` loads probed classes (17 to 25; the second is a diagnostic
/// option and needs the first).
pub const PROBED_JVM_FLAGS: [&str; 2] = ["-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"];

/// Which probes to plant.
#[derive(Clone, Debug)]
pub struct ProbeOptions {
    /// The class whose static method is called, `evergreen/Probe`.
    pub class: String,
    /// The method's name; it takes an int and returns nothing.
    pub method: String,
    /// The number of the first probe; the others follow.
    pub first: u32,
    /// Whether source lines have probes too.
    pub lines: Lines,
}

impl Default for ProbeOptions {
    fn default() -> ProbeOptions {
        ProbeOptions { class: "evergreen/Probe".into(), method: "hit".into(), first: 0, lines: Lines::No }
    }
}

/// Whether the start of every source line has a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Lines {
    Yes,
    No,
}

/// A class with probes.
#[derive(Clone, Debug)]
pub struct Probed {
    /// The new class file.
    pub bytes: Vec<u8>,
    /// The probes; the first has the number [`ProbeOptions::first`].
    pub probes: Vec<Probe>,
    /// The methods that were left as they are.
    pub left: Vec<Left>,
}

/// The place of one probe number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Probe {
    /// Index into [`ClassFile::methods`].
    pub method: u32,
    /// The branch, or the first instruction of the line: index into
    /// [`Code::instructions`](crate::Code::instructions) of the class as it was.
    pub instruction: u32,
    /// Its byte offset in the code as it was.
    pub offset: u32,
    /// Which way the run went.
    pub arm: Arm,
    /// The source line.
    pub line: Option<u16>,
}

/// One way that a run can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arm {
    /// A conditional jump was taken.
    Taken,
    /// A conditional jump was not taken.
    Fallthrough,
    /// A switch found the value that [`Switch::iter`](crate::Switch::iter) lists at this index.
    Case(u32),
    /// A switch found none of its values, or one that it sends where it sends all the others.
    Default,
    /// A source line began. No branch: it is always taken.
    Line,
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arm::Taken => f.write_str("taken"),
            Arm::Fallthrough => f.write_str("not taken"),
            Arm::Case(i) => write!(f, "case {i}"),
            Arm::Default => f.write_str("default"),
            Arm::Line => f.write_str("line"),
        }
    }
}

/// A method without probes, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Index into [`ClassFile::methods`].
    pub method: u32,
    /// Lower case, no full stop.
    pub why: String,
}

/// Plants probes in the class file `bytes`.
///
/// # Errors
/// If it is no class file. A method, or a class, that has no room for probes is left as it is and named in
/// [`Probed::left`].
pub fn plant_probes(bytes: &[u8], options: &ProbeOptions) -> Result<Probed, ReadError> {
    let class = read(bytes)?;
    let mut from = Cursor::new(bytes);
    from.take(8)?;
    ConstantPool::read(&mut from)?;
    let pool_end = from.offset();
    if class.version < (45, 3) {
        return Ok(unprobed(bytes, &class, "its class file is older than Java 1.1"));
    }
    let mut planter = Planter::new(&class, options);
    let mut body = Vec::with_capacity(bytes.len() * 2);
    planter.copy_members(bytes, &mut from, &mut body)?;
    let Ok(count) = u16::try_from(planter.entries) else {
        return Ok(unprobed(bytes, &class, "the constant pool of its class is full"));
    };
    let mut new = Vec::with_capacity(body.len() + pool_end + planter.pool.len());
    new.extend_from_slice(&bytes[..8]);
    new.extend(count.to_be_bytes());
    new.extend_from_slice(&bytes[10..pool_end]);
    new.extend_from_slice(&planter.pool);
    new.extend_from_slice(&body);
    Ok(Probed { bytes: new, probes: planter.probes, left: planter.left })
}

fn unprobed(bytes: &[u8], class: &ClassFile, why: &str) -> Probed {
    let with_code = (0..).zip(&class.methods).filter(|(_, m)| m.body.is_some());
    let left = with_code.map(|(method, _)| Left { method, why: why.into() }).collect();
    Probed { bytes: bytes.to_vec(), probes: Vec::new(), left }
}

struct Planter<'a> {
    class: &'a ClassFile,
    options: &'a ProbeOptions,
    /// New pool entries, written behind the old ones.
    pool: Vec<u8>,
    /// Indices of the pool, old and new.
    entries: usize,
    /// Pool index of the method that probes call.
    hit: u16,
    probes: Vec<Probe>,
    left: Vec<Left>,
}

impl<'a> Planter<'a> {
    fn new(class: &'a ClassFile, options: &'a ProbeOptions) -> Planter<'a> {
        let (pool, entries) = (Vec::new(), class.pool.len());
        let mut planter =
            Planter { class, options, pool, entries, hit: 0, probes: Vec::new(), left: Vec::new() };
        let texts = [&*options.class, &*options.method, "(I)V"].map(|text| planter.text(text));
        let owner = planter.entry(7, &texts[0].to_be_bytes());
        let name = planter.entry(12, &[texts[1].to_be_bytes(), texts[2].to_be_bytes()].concat());
        planter.hit = planter.entry(10, &[owner.to_be_bytes(), name.to_be_bytes()].concat());
        planter
    }

    /// Adds a pool entry. Beyond 65,534 its index is meaningless; that is noticed at the end.
    fn entry(&mut self, tag: u8, content: &[u8]) -> u16 {
        self.pool.push(tag);
        self.pool.extend_from_slice(content);
        self.entries += 1;
        (self.entries - 1) as u16
    }

    fn text(&mut self, text: &str) -> u16 {
        let size = (text.len() as u16).to_be_bytes();
        self.entry(1, &[&size[..], text.as_bytes()].concat())
    }

    /// Copies everything behind the pool, methods with probes.
    fn copy_members(
        &mut self,
        bytes: &[u8],
        from: &mut Cursor<'_>,
        to: &mut Vec<u8>,
    ) -> Result<(), ReadError> {
        let start = from.offset();
        from.take(6)?;
        let interfaces = from.u16()?;
        from.take(usize::from(interfaces) * 2)?;
        for _ in 0..from.u16()? {
            from.take(6)?;
            for _ in 0..from.u16()? {
                skip_attribute(from)?;
            }
        }
        from.take(2)?;
        to.extend_from_slice(&bytes[start..from.offset()]);
        for (index, method) in (0..).zip(&self.class.methods) {
            self.copy_method(bytes, from, to, index, method)?;
        }
        to.extend_from_slice(&bytes[from.offset()..]);
        Ok(())
    }

    fn copy_method(
        &mut self,
        bytes: &[u8],
        from: &mut Cursor<'_>,
        to: &mut Vec<u8>,
        index: u32,
        method: &Method,
    ) -> Result<(), ReadError> {
        let start = from.offset();
        from.take(6)?;
        let attributes = from.u16()?;
        to.extend_from_slice(&bytes[start..from.offset()]);
        for _ in 0..attributes {
            let start = from.offset();
            let size = skip_attribute(from)?;
            let is_code = method.body.is_some_and(|body| body.offset as usize == start + 6);
            match is_code.then(|| self.code(bytes, index, method)).flatten() {
                Some(code) => {
                    to.extend_from_slice(&bytes[start..start + 2]);
                    to.extend((code.len() as u32).to_be_bytes());
                    to.extend(code);
                }
                None => to.extend_from_slice(&bytes[start..start + 6 + size]),
            }
        }
        Ok(())
    }

    /// The `Code` attribute of a method with probes; `None` leaves it as it is.
    fn code(&mut self, bytes: &[u8], index: u32, method: &Method) -> Option<Vec<u8>> {
        let (code, body) = (method.code.as_ref()?, method.body?);
        let old = &bytes[body.offset as usize..(body.offset + body.size) as usize];
        let mut sites = layout::sites(code, self.options.lines);
        if sites.is_empty() {
            return None;
        }
        let (pool, entries) = (self.pool.len(), self.entries);
        match self.number(&mut sites).and_then(|()| self.relay(old, code, &sites)) {
            Ok(new) => {
                self.probes.extend(sites.iter().map(|site| Probe {
                    method: index,
                    instruction: site.instruction,
                    offset: code.offsets[site.instruction as usize],
                    arm: site.arm,
                    line: code.line(site.instruction),
                }));
                Some(new)
            }
            Err(why) => {
                self.pool.truncate(pool);
                self.entries = entries;
                self.left.push(Left { method: index, why });
                None
            }
        }
    }

    /// Gives every site its number; those that an instruction cannot hold come from the pool.
    fn number(&mut self, sites: &mut [Site]) -> Result<(), String> {
        let first = u64::from(self.options.first) + self.probes.len() as u64;
        if first + sites.len() as u64 > i32::MAX as u64 {
            return Err("there are no numbers left for its probes".into());
        }
        for (number, site) in (first as u32..).zip(sites) {
            site.number = number;
            if number > i16::MAX as u32 {
                site.constant = self.entry(3, &number.to_be_bytes());
            }
        }
        Ok(())
    }

    /// Lays a method out anew, around its probes.
    fn relay(&self, old: &[u8], code: &Code, sites: &[Site]) -> Result<Vec<u8>, String> {
        let max_stack = code.max_stack.checked_add(1).ok_or("its stack has no room for one more value")?;
        let size = u32::from_be_bytes([old[4], old[5], old[6], old[7]]) as usize;
        let layout = Layout::new(code, &old[8..8 + size], sites, self.hit)
            .ok_or("with probes it would be longer than 64 KB")?;
        tables::write(old, code, &layout, max_stack, &self.class.pool).map_err(|e| e.to_string())
    }
}

/// Skips an attribute; the size of its content.
fn skip_attribute(from: &mut Cursor<'_>) -> Result<usize, ReadError> {
    from.take(2)?;
    let size = from.u32()? as usize;
    from.take(size)?;
    Ok(size)
}

//! The layout of a method with probes: one pass places, one pass writes.

use super::{Arm, Lines};
use crate::code::{Code, Switch, SwitchCases};
use crate::instruction::Instruction as I;

const BIPUSH: u8 = 16;
const SIPUSH: u8 = 17;
const LDC_W: u8 = 19;
const GOTO: u8 = 167;
const JSR: u8 = 168;
const INVOKESTATIC: u8 = 184;
/// From the opcode of a near jump to that of the far one.
const FAR: u8 = 33;

/// A place for a probe.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) instruction: u32,
    pub(super) arm: Arm,
    pub(super) number: u32,
    /// Pool entry of the number, if it needs one.
    pub(super) constant: u16,
}

/// All places for probes, in the order of the code; a line's probe comes before those
/// of its first instruction.
pub(super) fn sites(code: &Code, lines: Lines) -> Vec<Site> {
    let mut sites = Vec::new();
    let mut starts = code.lines.iter().map(|&(start, _)| start).peekable();
    for (index, &instruction) in (0..).zip(&code.instructions) {
        let mut add = |arm| sites.push(Site { instruction: index, arm, number: 0, constant: 0 });
        let mut begins = false;
        while starts.next_if(|&start| start <= index).is_some() {
            begins = true;
        }
        if begins && lines == Lines::Yes {
            add(Arm::Line);
        }
        match instruction {
            I::If(..) | I::IfIcmp(..) | I::IfAcmp(..) | I::IfNull(..) => {
                add(Arm::Fallthrough);
                add(Arm::Taken);
            }
            I::Switch(i) => {
                add(Arm::Default);
                let switch = &code.switches[i as usize];
                for (case, (_, target)) in (0..).zip(switch.iter()) {
                    if target != switch.default {
                        add(Arm::Case(case));
                    }
                }
            }
            _ => {}
        }
    }
    sites
}

/// The new places of a method's instructions.
pub(super) struct Layout<'a> {
    code: &'a Code,
    /// The bytes of the code as it was.
    old: &'a [u8],
    sites: &'a [Site],
    /// Pool entry of the method that probes call.
    hit: u16,
    /// Whether jumps of the original need 32 bits.
    far: bool,
    /// New byte offset of each instruction (of its line's probe, if it has one), and of the end.
    labels: Vec<u32>,
}

impl<'a> Layout<'a> {
    /// Places everything; `None` if the code would not fit into 64 KB.
    pub(super) fn new(code: &'a Code, old: &'a [u8], sites: &'a [Site], hit: u16) -> Option<Layout<'a>> {
        let mut layout = Layout { code, old, sites, hit, far: false, labels: Vec::new() };
        layout.place();
        if layout.size() > i16::MAX as u32 {
            layout.far = true;
            layout.place();
        }
        (layout.size() <= u32::from(u16::MAX)).then_some(layout)
    }

    fn size(&self) -> u32 {
        self.labels[self.code.instructions.len()]
    }

    /// The new byte offset of an instruction; of the end, for an index beyond the last.
    pub(super) fn label(&self, instruction: u32) -> u32 {
        self.labels[(instruction as usize).min(self.labels.len() - 1)]
    }

    fn goto_size(&self) -> u32 {
        if self.far { 5 } else { 3 }
    }

    /// Calls `each` with every instruction, its line's probe and the probes of its arms.
    fn walk(&self, mut each: impl FnMut(usize, I, &[Site], &[Site])) {
        let mut sites = self.sites;
        for (index, &instruction) in self.code.instructions.iter().enumerate() {
            let own = sites.iter().take_while(|s| s.instruction as usize == index).count();
            let line = usize::from(own > 0 && sites[0].arm == Arm::Line);
            each(index, instruction, &sites[..line], &sites[line..own]);
            sites = &sites[own..];
        }
    }

    fn place(&mut self) {
        let mut labels = Vec::with_capacity(self.code.instructions.len() + 1);
        let mut at = 0;
        self.walk(|index, instruction, line, arms| {
            labels.push(at);
            at += line.iter().map(Site::size).sum::<u32>();
            let probes: u32 = arms.iter().map(Site::size).sum();
            at += match instruction {
                I::If(..) | I::IfIcmp(..) | I::IfAcmp(..) | I::IfNull(..) => {
                    3 + probes + 3 + self.goto_size()
                }
                I::Goto(_) | I::Jsr(_) => self.goto_size(),
                I::Switch(i) => {
                    let switch = &self.code.switches[i as usize];
                    let table = match switch.cases {
                        SwitchCases::Table { .. } => 12 + 4 * switch.len() as u32,
                        SwitchCases::Lookup(_) => 8 + 8 * switch.len() as u32,
                    };
                    1 + padding(at + 1) + table + probes + self.goto_size() * arms.len() as u32
                }
                _ => self.original(index).len() as u32,
            };
        });
        labels.push(at);
        self.labels = labels;
    }

    /// The bytes of an instruction as it was.
    fn original(&self, index: usize) -> &'a [u8] {
        let end = self.code.offsets.get(index + 1).map_or(self.old.len(), |&next| next as usize);
        &self.old[self.code.offsets[index] as usize..end]
    }

    /// The new code.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut to = Vec::with_capacity(self.size() as usize);
        self.walk(|index, instruction, line, arms| {
            for site in line {
                self.probe(&mut to, site);
            }
            let opcode = self.original(index)[0];
            match instruction {
                I::If(_, target) | I::IfIcmp(_, target) | I::IfAcmp(_, target) | I::IfNull(_, target) => {
                    if let [fallthrough, taken] = arms {
                        to.push(opcode);
                        to.extend((3 + fallthrough.size() as i16 + 3).to_be_bytes());
                        self.probe(&mut to, fallthrough);
                        to.push(GOTO);
                        to.extend((3 + taken.size() as i16 + self.goto_size() as i16).to_be_bytes());
                        self.probe(&mut to, taken);
                        self.jump(&mut to, GOTO, target);
                    }
                }
                I::Goto(target) => self.jump(&mut to, GOTO, target),
                I::Jsr(target) => self.jump(&mut to, JSR, target),
                I::Switch(i) => self.switch(&mut to, opcode, &self.code.switches[i as usize], arms),
                _ => to.extend_from_slice(self.original(index)),
            }
        });
        to
    }

    fn probe(&self, to: &mut Vec<u8>, site: &Site) {
        match site.number {
            n @ 0..=5 => to.push(3 + n as u8),
            n @ 6..=127 => to.extend([BIPUSH, n as u8]),
            n @ 128..=0x7FFF => {
                to.push(SIPUSH);
                to.extend((n as u16).to_be_bytes());
            }
            _ => {
                to.push(LDC_W);
                to.extend(site.constant.to_be_bytes());
            }
        }
        to.push(INVOKESTATIC);
        to.extend(self.hit.to_be_bytes());
    }

    /// Writes a jump to where `target` is now.
    fn jump(&self, to: &mut Vec<u8>, opcode: u8, target: u32) {
        let distance = self.label(target) as i32 - to.len() as i32;
        if self.far {
            to.push(opcode + FAR);
            to.extend(distance.to_be_bytes());
        } else {
            to.push(opcode);
            to.extend((distance as i16).to_be_bytes());
        }
    }

    /// Writes a switch and, behind it, a block for each of its arms; the default's comes first.
    fn switch(&self, to: &mut Vec<u8>, opcode: u8, switch: &Switch, arms: &[Site]) {
        let start = to.len();
        to.push(opcode);
        to.extend(vec![0; padding(to.len() as u32) as usize]);
        let head = match switch.cases {
            SwitchCases::Table { .. } => 12 + 4 * switch.len(),
            SwitchCases::Lookup(_) => 8 + 8 * switch.len(),
        };
        let mut blocks = vec![0; switch.len()];
        let default = (to.len() + head - start) as i32;
        let mut at = default;
        for site in arms {
            if let Arm::Case(case) = site.arm {
                blocks[case as usize] = at;
            }
            at += (site.size() + self.goto_size()) as i32;
        }
        let block = |case: usize| if blocks[case] == 0 { default } else { blocks[case] };
        to.extend(default.to_be_bytes());
        match &switch.cases {
            SwitchCases::Table { low, targets } => {
                to.extend(low.to_be_bytes());
                to.extend(low.wrapping_add(targets.len() as i32 - 1).to_be_bytes());
                to.extend((0..targets.len()).flat_map(|case| block(case).to_be_bytes()));
            }
            SwitchCases::Lookup(pairs) => {
                to.extend((pairs.len() as u32).to_be_bytes());
                for (case, pair) in pairs.iter().enumerate() {
                    to.extend(pair.0.to_be_bytes());
                    to.extend(block(case).to_be_bytes());
                }
            }
        }
        let cases: Vec<(i32, u32)> = switch.iter().collect();
        for site in arms {
            self.probe(to, site);
            let target = if let Arm::Case(case) = site.arm { cases[case as usize].1 } else { switch.default };
            self.jump(to, GOTO, target);
        }
    }
}

impl Site {
    /// Bytes of the probe: a number, pushed as short as it can be, and a call.
    fn size(&self) -> u32 {
        let push = match self.number {
            0..=5 => 1,
            6..=127 => 2,
            _ => 3,
        };
        push + 3
    }
}

/// Bytes up to the next multiple of four.
fn padding(at: u32) -> u32 {
    at.wrapping_neg() % 4
}

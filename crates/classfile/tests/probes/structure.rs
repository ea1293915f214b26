//! Probed code, checked instruction by instruction against the code it was: over a
//! seventh of the JDK's classes.

use evergreen_classfile::{
    Arm, ClassFile, Code, Instruction as I, InvokeKind, Lines, ProbeOptions, Probed, find_jdk, plant_probes,
    read,
};

/// Walks the new code in step with the old one.
struct Walk<'a> {
    old: &'a Code,
    new: &'a Code,
    hit: u16,
    probed: &'a Probed,
    method: u32,
    /// Position in the new code.
    at: usize,
    /// Where each old instruction begins in the new code.
    starts: Vec<u32>,
    /// Jumps of the new code and the old instructions they must lead to.
    jumps: Vec<(u32, u32)>,
}

impl Walk<'_> {
    fn next(&mut self) -> I {
        self.at += 1;
        self.new.instructions[self.at - 1]
    }

    /// Whether the next instructions are the probe of this arm of old instruction `index`; passes it if so.
    fn probe(&mut self, index: usize, arm: Arm) -> bool {
        let rest = &self.new.instructions[self.at..];
        let (Some(&I::Int(number)), Some(&call)) = (rest.first(), rest.get(1)) else { return false };
        if call != I::Invoke(InvokeKind::Static, self.hit) {
            return false;
        }
        let probe = self.probed.probes[number as usize];
        if (probe.method, probe.instruction as usize, probe.arm) != (self.method, index, arm) {
            return false;
        }
        assert_eq!((probe.offset, probe.line), (self.old.offsets[index], self.old.line(index as u32)));
        self.at += 2;
        true
    }

    /// The block of an arm: its probe, and a jump to where the old code went.
    fn block(&mut self, index: usize, arm: Arm, target: u32) {
        assert!(self.probe(index, arm), "{arm} of {index}");
        match self.next() {
            I::Goto(to) => self.jumps.push((to, target)),
            other => panic!("{other:?} ends a block"),
        }
    }

    fn instruction(&mut self, index: usize) {
        self.starts.push(self.at as u32);
        let _ = self.probe(index, Arm::Line);
        let (old, new) = (self.old.instructions[index], self.next());
        let at = self.at as u32;
        match (old, new) {
            (I::If(a, old), I::If(b, to)) | (I::IfIcmp(a, old), I::IfIcmp(b, to)) if a == b => {
                self.conditional(index, old, to);
            }
            (I::IfAcmp(a, old), I::IfAcmp(b, to)) | (I::IfNull(a, old), I::IfNull(b, to)) if a == b => {
                self.conditional(index, old, to);
            }
            (I::Goto(old), I::Goto(to)) | (I::Jsr(old), I::Jsr(to)) => self.jumps.push((to, old)),
            (I::Switch(old), I::Switch(new)) => {
                let (old, new) = (&self.old.switches[old as usize], &self.new.switches[new as usize]);
                assert_eq!(new.default, at);
                self.block(index, Arm::Default, old.default);
                for (case, (a, b)) in (0..).zip(old.iter().zip(new.iter())) {
                    assert_eq!(a.0, b.0);
                    if a.1 == old.default {
                        assert_eq!(b.1, at);
                    } else {
                        assert_eq!(b.1 as usize, self.at);
                        self.block(index, Arm::Case(case), a.1);
                    }
                }
                assert_eq!(old.len(), new.len());
            }
            // As text, in which NaN equals itself.
            _ => assert!(old == new || format!("{old:?}") == format!("{new:?}"), "{old:?} became {new:?}"),
        }
    }

    fn conditional(&mut self, index: usize, target: u32, to: u32) {
        assert!(self.probe(index, Arm::Fallthrough));
        let I::Goto(after) = self.next() else { panic!("no jump over the taken block") };
        assert_eq!(to as usize, self.at);
        self.block(index, Arm::Taken, target);
        assert_eq!(after as usize, self.at);
    }
}

fn check_method(probed: &Probed, hit: u16, method: u32, old: &Code, new: &Code) {
    let (starts, jumps) = (Vec::new(), Vec::new());
    let mut walk = Walk { old, new, hit, probed, method, at: 0, starts, jumps };
    for index in 0..old.instructions.len() {
        walk.instruction(index);
    }
    walk.starts.push(walk.at as u32);
    assert_eq!(walk.at, new.instructions.len());
    let now = |index: u32| walk.starts[index as usize];
    for (to, old) in &walk.jumps {
        assert_eq!(*to, now(*old));
    }
    let handlers = old.handlers.iter().map(|h| (now(h.from), now(h.to), now(h.target), &h.catch));
    assert!(handlers.eq(new.handlers.iter().map(|h| (h.from, h.to, h.target, &h.catch))));
    assert!(old.lines.iter().map(|&(start, line)| (now(start), line)).eq(new.lines.iter().copied()));
    let variables = old.variables.iter().map(|v| (now(v.from), now(v.to), &v.name, v.slot));
    assert!(variables.eq(new.variables.iter().map(|v| (v.from, v.to, &v.name, v.slot))));
    assert_eq!((old.max_stack + 1, old.max_locals), (new.max_stack, new.max_locals));
}

/// Plants probes and checks every method; how many probes there are.
fn check(bytes: &[u8], old: &ClassFile, lines: Lines) -> usize {
    let probed = plant_probes(bytes, &ProbeOptions { lines, ..ProbeOptions::default() }).unwrap();
    let new = read(&probed.bytes).unwrap();
    let hit = (0..new.pool.len() as u16)
        .rev()
        .find(|&i| new.pool.member(i).is_ok_and(|m| &*m.class == "evergreen/Probe" && &*m.name == "hit"));
    let hit = hit.unwrap();
    assert_eq!(old.methods.len(), new.methods.len());
    for (index, (a, b)) in (0..).zip(old.methods.iter().zip(&new.methods)) {
        assert_eq!((&a.name, &a.descriptor, &a.exceptions), (&b.name, &b.descriptor, &b.exceptions));
        if let (Some(a), Some(b)) = (&a.code, &b.code) {
            if probed.probes.iter().any(|p| p.method == index) {
                check_method(&probed, hit, index, a, b);
            } else {
                assert_eq!(a.offsets, b.offsets);
            }
        }
    }
    probed.probes.len()
}

#[test]
fn the_code_of_the_jdk_is_the_same_around_its_probes() {
    let jdk = find_jdk().unwrap();
    let (mut classes, mut probes) = (0, 0);
    for (n, listed) in jdk.classes().unwrap().iter().enumerate().step_by(7) {
        let Some(found) = jdk.find(&listed.name).unwrap() else { continue };
        let class = read(&found.bytes).unwrap();
        let lines = if n % 2 == 0 { Lines::Yes } else { Lines::No };
        let planted = std::panic::catch_unwind(|| check(&found.bytes, &class, lines));
        probes += planted.unwrap_or_else(|_| panic!("in {}", listed.name));
        classes += 1;
    }
    assert!(classes > 3_000 && probes > 100_000, "{classes} classes, {probes} probes");
}

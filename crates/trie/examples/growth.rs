//! dev
use evergreen_trie::{workload::Workload, *};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
struct Counting;
static BYTES: AtomicUsize = AtomicUsize::new(0);
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, l: Layout) -> *mut u8 {
        BYTES.fetch_add(l.size(), Ordering::Relaxed);
        unsafe { System.alloc(l) }
    }
    unsafe fn dealloc(&self, p: *mut u8, l: Layout) {
        BYTES.fetch_sub(l.size(), Ordering::Relaxed);
        unsafe { System.dealloc(p, l) }
    }
}
#[global_allocator]
static A: Counting = Counting;
fn stats(name: &str, mut f: impl FnMut(u64) -> Found, n: u64) {
    let mut t: Vec<(f64, u32, bool, bool)> = (0..n)
        .map(|i| {
            let s = Instant::now();
            let r = f(i);
            (s.elapsed().as_nanos() as f64 / 1000.0, r.steps, r.hit.is_some(), r.cut_off)
        })
        .collect();
    t.sort_by(|a, b| a.0.total_cmp(&b.0));
    let hits = t.iter().filter(|x| x.2).count();
    let cut = t.iter().filter(|x| x.3).count();
    let mut s: Vec<u32> = t.iter().map(|x| x.1).collect();
    s.sort();
    println!(
        "   {name:12} median {:7.2} p95 {:8.2} p99 {:8.2} max {:8.1} us | steps {} {} {} | hits {hits} cut {cut}",
        t[n as usize / 2].0,
        t[n as usize * 95 / 100].0,
        t[n as usize * 99 / 100].0,
        t[n as usize - 1].0,
        s[n as usize / 2],
        s[n as usize * 95 / 100],
        s[n as usize - 1]
    );
}
fn main() {
    let most: usize = std::env::args().nth(1).map_or(100_000, |a| a.parse().unwrap());
    let ub = std::env::args().nth(2).as_deref() == Some("ub");
    let nodef = std::env::args().nth(2).as_deref() == Some("nodef");
    let budget = std::env::args().nth(3).map_or(Budget::default(), |b| Budget(b.parse().unwrap()));
    let w = Workload::default();
    let before = BYTES.load(Ordering::Relaxed);
    let mut trie: Box<dyn Index> = if ub { Box::new(UbTree::new()) } else { Box::new(LTrie::new()) };
    let mut n = 0u64;
    let mut size = 1000;
    let mut atoms = 0usize;
    while size <= most {
        while trie.sizes().sat + trie.sizes().unsat < size {
            let p = w.program(n);
            n += 1;
            if !nodef {
                for (k, t) in &p.definitions {
                    trie.define(*k, t);
                }
            }
            for s in &p.sat {
                atoms += s.len();
                trie.insert_sat(s, (&b"model:0123456789"[..]).into());
            }
            for s in &p.unsat {
                trie.insert_unsat(s, (&b""[..]).into());
            }
        }
        let z = trie.sizes();
        println!(
            "{size}: {z:?} programs {n} atoms/set {:.1} nodes/set {:.1} bytes/set {:.0}",
            atoms as f64 / z.sat as f64,
            z.nodes as f64 / (z.sat + z.unsat) as f64,
            (BYTES.load(Ordering::Relaxed) - before) as f64 / (z.sat + z.unsat) as f64
        );
        let q = 2000;
        let pick = |i: u64| {
            let mut k = i;
            loop {
                let p = w.program((k.wrapping_mul(0x9e3779b97f4a7c15) >> 20) % n);
                if !p.sat.is_empty() && !p.unsat.is_empty() {
                    return p;
                }
                k += 1_000_000;
            }
        };
        macro_rules! run {
            ($name:expr, $make:expr, $find:ident) => {{
                let qs: Vec<Vec<Atom>> = (0..q).map($make).collect();
                stats($name, |i| trie.$find(&qs[i as usize], budget), q);
            }};
        }
        let sat = |i: u64| {
            let p = pick(i);
            let s = &p.sat[i as usize % p.sat.len().max(1)];
            w.sat_hit(s, i)
        };
        run!("sat hit", sat, find_sat);
        let near = |i: u64| {
            let p = pick(i);
            let o = pick(i + 77777);
            w.near(&p.sat[i as usize % p.sat.len()], &p.sat[(i as usize + 5) % p.sat.len()], i)
                .into_iter()
                .chain(o.sat[0].iter().take(0).copied())
                .collect::<Vec<_>>()
        };
        run!("sat near", near, find_sat);
        let mix = |i: u64| {
            let p = pick(i);
            let o = pick(i + 77777);
            w.near(&p.sat[i as usize % p.sat.len()], &o.sat[(i as usize + 5) % o.sat.len()], i)
        };
        run!("sat mixed", mix, find_sat);
        let fresh = |i: u64| {
            let p = w.program(n + 1000 + i);
            p.sat.first().cloned().unwrap_or_default()
        };
        run!("sat fresh", fresh, find_sat);
        let short = |i: u64| {
            let p = w.program(n + 1000 + i);
            let mut s = p.sat.first().cloned().unwrap_or_default();
            s.truncate(3);
            s
        };
        run!("sat short", short, find_sat);
        let un = |i: u64| {
            let p = pick(i);
            if p.unsat.is_empty() {
                return vec![];
            }
            w.unsat_hit(&p.unsat[i as usize % p.unsat.len()], &p.sat[0], i)
        };
        run!("unsat hit", un, find_unsat);
        run!("unsat near", near, find_unsat);
        run!("unsat mixed", mix, find_unsat);
        run!("unsat fresh", fresh, find_unsat);
        size *= 10;
    }
}

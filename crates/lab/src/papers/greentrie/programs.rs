//! The programs of the evaluation, and what Table 1 prints about them.

use super::line::{Line, printed};
use crate::papers::technique::{self, Ran, Subject, Technique};
use evergreen::store::Store;
use evergreen_java::Program;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// A program with its size.
pub(super) struct Listed {
    /// As the paper calls it.
    pub name: &'static str,
    /// Its folder below the subjects.
    pub folder: &'static str,
    /// `Class.method`.
    pub method: &'static str,
    /// The most rounds of a loop.
    pub loops: Option<u32>,
    /// Its row in Table 1.
    pub paper: Line,
}

const fn listed(
    name: &'static str,
    folder: &'static str,
    method: &'static str,
    calls: [u64; 4],
    ms: [f64; 4],
) -> Listed {
    let ms = [Some(ms[0]), Some(ms[1]), Some(ms[2]), Some(ms[3])];
    Listed { name, folder, method, loops: None, paper: printed(calls, ms) }
}

/// The rows of Table 1, in its order.
pub(super) const PROGRAMS: [Listed; 13] = [
    listed("TriTyp", "trityp/v0", "TriTyp.classify", [32, 28, 28, 28], [1040.0, 915.0, 922.0, 995.0]),
    Listed {
        loops: Some(7),
        ..listed("Euclid", "euclid/v0", "Euclid.gcd", [642, 552, 464, 464], [5105.0, 6503.0, 7274.0, 6311.0])
    },
    listed("TCAS", "tcas/v0", "Tcas.advise", [680, 41, 20, 14], [12742.0, 3356.0, 2182.0, 2165.0]),
    listed(
        "TreeMap1",
        "papers/treemap",
        "TreeMapDriver.put3",
        [24, 24, 24, 24],
        [871.0, 942.0, 947.0, 882.0],
    ),
    listed(
        "TreeMap2",
        "papers/treemap",
        "TreeMapDriver.put4",
        [148, 148, 140, 140],
        [2918.0, 2542.0, 2851.0, 2606.0],
    ),
    listed(
        "TreeMap3",
        "papers/treemap",
        "TreeMapDriver.put5",
        [1080, 956, 833, 806],
        [21849.0, 10729.0, 11809.0, 9871.0],
    ),
    listed(
        "BinTree1",
        "papers/bintree",
        "BinTreeDriver.add3",
        [84, 41, 25, 25],
        [1476.0, 1103.0, 1092.0, 1027.0],
    ),
    listed(
        "BinTree2",
        "papers/bintree",
        "BinTreeDriver.add4",
        [472, 238, 133, 118],
        [4322.0, 3648.0, 3156.0, 2872.0],
    ),
    listed(
        "BinTree3",
        "papers/bintree",
        "BinTreeDriver.add5",
        [3252, 1654, 939, 873],
        [36581.0, 17197.0, 14764.0, 12041.0],
    ),
    listed(
        "BinomialHeap1",
        "binomialheap/v0",
        "BinomialHeapDriver.operations3",
        [448, 32, 23, 19],
        [3637.0, 2137.0, 2046.0, 2017.0],
    ),
    listed(
        "BinomialHeap2",
        "binomialheap/v0",
        "BinomialHeapDriver.operations4",
        [3184, 190, 85, 68],
        [27165.0, 7653.0, 6442.0, 6071.0],
    ),
    listed(
        "BinomialHeap3",
        "binomialheap/v0",
        "BinomialHeapDriver.operations5",
        [23320, 988, 337, 288],
        [249_224.0, 28549.0, 31892.0, 21392.0],
    ),
    Listed {
        paper: printed([60648, 21, 15, 13], [None, Some(304_726.0), Some(290_854.0), Some(272_813.0)]),
        ..listed("MerArbiter", "arbiter/v0", "ArbiterDriver.events3", [0; 4], [0.0; 4])
    },
];

impl Listed {
    /// Explores it.
    pub(super) fn explore(
        &self,
        shelf: &Shelf,
        technique: Technique,
        solver: &str,
        store: &Arc<dyn Store>,
    ) -> Result<Ran, String> {
        let program = shelf.program(self.folder)?;
        let subject = Subject { program: &program, method: self.method, loops: self.loops, concrete: &[] };
        technique::explore(&subject, technique, solver, store)
    }
}

/// Compiled programs by their folders: each is compiled once, and only if a step needs it.
pub(super) struct Shelf {
    subjects: PathBuf,
    programs: RefCell<BTreeMap<String, Rc<Program>>>,
}

impl Shelf {
    /// With nothing compiled.
    pub(super) fn new(subjects: &Path) -> Shelf {
        Shelf { subjects: subjects.to_path_buf(), programs: RefCell::default() }
    }

    /// The program in a folder of the subjects.
    ///
    /// # Errors
    /// The compiler's.
    pub(super) fn program(&self, folder: &str) -> Result<Rc<Program>, String> {
        if let Some(program) = self.programs.borrow().get(folder) {
            return Ok(program.clone());
        }
        let program = Rc::new(technique::compile(&self.subjects.join(folder))?);
        self.programs.borrow_mut().insert(folder.to_string(), program.clone());
        Ok(program)
    }
}

/// The program of a name.
pub(super) fn named(name: &str) -> &'static Listed {
    PROGRAMS.iter().find(|listed| listed.name == name).expect("a program of the table")
}

//! The base state: the JDK's classes that a run needs are initialized once, and all paths share the result.
//!
//! Which ones a run needs is found by looking at where a first path went ([`Jvm::warm`]). Only the JDK's own
//! classes are initialized ahead of time: a program cannot observe when that happens, while the order of its
//! own initializers is part of its behaviour. A class whose initialization cannot be followed, or depends on
//! an input, is left for the paths.

use crate::machine::Jvm;
use crate::native::Trap;
use crate::outcome::Ending;
use crate::state::{ClassState, State};

/// Instructions after which an initializer is left to the paths.
const STEPS: u64 = 20_000_000;

/// Classes that nearly every run needs, and classes that error handling needs.
const USUAL: [&str; 13] = [
    "java/lang/String",
    "java/lang/System",
    "java/lang/Class",
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArrayStoreException",
    "java/lang/ClassCastException",
    "java/lang/ExceptionInInitializerError",
    "java/lang/NegativeArraySizeException",
    "java/lang/NullPointerException",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    // Its superclass and the factory of members need each other: a JVM begins with this one.
    "java/lang/reflect/Method",
];

impl Jvm {
    /// A state in which nothing of the program has run, and the JDK's most usual classes are ready.
    pub fn base_state(&mut self) -> Result<State, Trap> {
        let mut base = State::new();
        for name in USUAL {
            if let Ok(class) = self.load(name) {
                self.initialize(&mut base, class);
            }
        }
        super::out::open(self, &mut base)?;
        Ok(base)
    }

    /// `base` with all classes of the JDK initialized that are ready in `after`, which some
    /// path has reached from `base`.
    pub fn warm(&mut self, base: &State, after: &State) -> State {
        let mut base = base.clone();
        for number in 0..self.classes.len() as u32 {
            let class = crate::classes::ClassId(number);
            let ready = after.class_state(class) == ClassState::Done;
            if ready && !self.class(class).user && base.class_state(class) == ClassState::Untouched {
                self.initialize(&mut base, class);
            }
        }
        base
    }

    /// Initializes a class in `base` if that can be done without a choice; otherwise `base` stays as it is.
    fn initialize(&mut self, base: &mut State, class: crate::classes::ClassId) {
        let mut state = self.start_init(base, class);
        let ending = self.run_concrete(&mut state, STEPS);
        // What depends on the machine is left to the paths, which note it.
        let is_alike = state.output.len() == base.output.len() && state.narrowed == base.narrowed;
        if matches!(ending, Some(Ending::Returned(_))) && is_alike {
            (state.steps, state.init_steps) = (0, 0);
            *base = state;
        }
    }
}

//! What a solver counts, where its client asks for that on the command line (`z3 -st`, `cvc5 --stats`).
//!
//! Why3, and so Frama-C, asks for it in every run, for one number: the steps of a proof. It reads on without
//! that number. While such flags handed the whole run to the solver, these clients had no reuse at all.
//! Now the counters come from the process that solved, in its own words. Where none was started nothing was
//! counted, and what is printed is the time: a number of steps would be another run's.

use super::Session;
use evergreen_solver::Kind;
use std::time::Duration;

impl Session {
    /// The counters that the solver would print at its end: for standard output (z3) or standard error
    /// (cvc5). To be called before the session is finished; `elapsed` is the time since it was started.
    ///
    /// z3 has them in a list, and the total time at its end.
    pub fn counters(&mut self, elapsed: Duration) -> String {
        match self.options.solver.kind {
            Kind::Z3 => {
                let total = format!(":total-time {:.2})\n", elapsed.as_secs_f64());
                match self.counted() {
                    Some(list) => format!("{list}\n {total}"),
                    None => format!("({total}"),
                }
            }
            // It prints them itself when it runs the file, which is the only way in which it is asked.
            Kind::Cvc5 if self.live.starts == 0 => format!("global::totalTime = {}ms\n", elapsed.as_millis()),
            _ => String::new(),
        }
    }

    /// Whether the solver prints them to standard error.
    pub fn counts_apart(&self) -> bool {
        self.options.solver.kind == Kind::Cvc5
    }

    /// The list of the process that solved last, without the bracket at its end.
    fn counted(&mut self) -> Option<String> {
        let live = match self.live.is_running() {
            true => &mut self.live,
            false => self.finder.process()?,
        };
        let list = live.ask("(get-info :all-statistics)").ok()?;
        let list = list.trim().strip_suffix(')')?;
        list.starts_with("(:").then(|| list.to_string())
    }
}

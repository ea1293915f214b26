//! What was measured, kept as it comes: an interrupted run continues.
//!
//! One JSON file for each exhibit holds the results of its steps and, at the end, what it shows. A result
//! belongs to the build that measured it and to the size; another build measures again, unless `--stale`.

use super::Exhibit;
use super::show::Shown;
use crate::flags::Papers;
use crate::say;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// The file of an exhibit.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// The build that measured, and the size.
    build: String,
    /// Wall time so far.
    seconds: f64,
    /// Results of steps by their names.
    steps: BTreeMap<String, Value>,
    /// At the end.
    shown: Option<Shown>,
}

/// The work on one exhibit after the other.
pub(super) struct Work {
    /// The papers' largest sizes.
    pub full: bool,
    /// The folder of our subjects.
    pub subjects: PathBuf,
    /// The solver of what is not reused.
    pub solver: String,
    /// Modules of programs in two versions: a folder with `old` and `new`.
    pub modules: PathBuf,
    /// A folder of KLEE's query logs.
    pub logs: Option<PathBuf>,
    /// A folder for files of steps.
    folder: PathBuf,
    build: String,
    stale: bool,
    /// What is to do: seconds that each exhibit is said to take.
    plan: Vec<(String, f64)>,
    /// The exhibit that runs.
    current: Kept,
    name: String,
    began: Instant,
}

impl Work {
    /// Opens the folder of results.
    ///
    /// # Errors
    /// It cannot be made, or there are no subjects.
    pub(super) fn open(flags: &Papers, wanted: &[&Exhibit]) -> Result<Work, String> {
        let folder = flags.work.clone();
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        if !flags.subjects.is_dir() {
            return Err(format!(
                "{}: no such folder\nhelp: run this in the repository, or name its folder with --subjects",
                flags.subjects.display()
            ));
        }
        let seconds = |e: &Exhibit| if flags.full { e.seconds.1 } else { e.seconds.0 };
        Ok(Work {
            full: flags.full,
            subjects: flags.subjects.clone(),
            solver: flags.solver.clone(),
            logs: flags.logs.clone(),
            modules: flags.modules.clone().unwrap_or_else(|| folder.join("coreutils")),
            folder,
            build: build(flags.full),
            stale: flags.stale,
            plan: wanted.iter().map(|e| (e.slug(), seconds(e))).collect(),
            current: Kept::default(),
            name: String::new(),
            began: Instant::now(),
        })
    }

    fn file(&self, slug: &str) -> PathBuf {
        let size = if self.full { "-full" } else { "" };
        self.folder.join(format!("{slug}{size}.json"))
    }

    fn read(&self, slug: &str) -> Option<Kept> {
        let kept: Kept = serde_json::from_slice(&std::fs::read(self.file(slug)).ok()?).ok()?;
        (self.stale || kept.build == self.build).then_some(kept)
    }

    fn write(&self) -> Result<(), String> {
        let file = self.file(&self.name);
        let trouble = |e: std::io::Error| format!("{}: {e}", file.display());
        let text = serde_json::to_vec(&self.current).map_err(|e| e.to_string())?;
        // Under another name first: a run that is ended while it writes leaves the old file.
        let new = file.with_extension("new");
        std::fs::write(&new, text).map_err(trouble)?;
        std::fs::rename(&new, &file).map_err(trouble)
    }

    /// What an exhibit shows, run as far as that is not done.
    pub(super) fn exhibit(&mut self, exhibit: &Exhibit) -> Result<Shown, String> {
        self.name = exhibit.slug();
        self.current = self.read(&self.name).unwrap_or_default();
        self.current.build.clone_from(&self.build);
        if let Some(shown) = &self.current.shown {
            return Ok(shown.clone());
        }
        self.progress("begins");
        self.began = Instant::now();
        let shown = (exhibit.run)(self)?;
        self.current.shown = Some(shown.clone());
        self.spent();
        self.write()?;
        Ok(shown)
    }

    /// What was kept of an exhibit, with the seconds that it took.
    pub(super) fn kept(&self, exhibit: &Exhibit) -> Option<(Shown, f64)> {
        let kept = self.read(&exhibit.slug())?;
        Some((kept.shown?, kept.seconds))
    }

    fn spent(&mut self) {
        self.current.seconds += self.began.elapsed().as_secs_f64();
        self.began = Instant::now();
    }

    /// The result of a step, which runs if no earlier run has done it. Its name says all that the result
    /// depends on within the exhibit.
    ///
    /// # Errors
    /// What the step says, or the result cannot be kept.
    pub(super) fn step<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        run: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        if let Some(value) = self.current.steps.get(name)
            && let Ok(value) = serde_json::from_value(value.clone())
        {
            return Ok(value);
        }
        self.progress(name);
        let value = run().map_err(|trouble| format!("{name}: {trouble}"))?;
        let json = serde_json::to_value(&value).map_err(|e| e.to_string())?;
        self.current.steps.insert(name.to_string(), json);
        self.spent();
        self.write()?;
        Ok(value)
    }

    /// The result of a step of another exhibit, if it was run before at this size by this build.
    pub(super) fn of_another<T: DeserializeOwned>(&self, slug: &str, step: &str) -> Option<T> {
        if slug == self.name {
            return None;
        }
        let kept = self.read(slug)?;
        serde_json::from_value(kept.steps.get(step)?.clone()).ok()
    }

    /// As [`Work::step`], for a result that several exhibits show: the first of them measures it.
    ///
    /// # Errors
    /// What the step says, or the result cannot be kept.
    pub(super) fn shared<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        run: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let file = self.file(&format!("shared-{}", name.replace([' ', '/'], "-")));
        let kept = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let is_ours = |(build, _): &(String, T)| self.stale || *build == self.build;
        if let Some((_, value)) = kept.filter(is_ours) {
            return Ok(value);
        }
        self.progress(name);
        let kept = (self.build.clone(), run().map_err(|trouble| format!("{name}: {trouble}"))?);
        let text = serde_json::to_vec(&kept).map_err(|e| e.to_string())?;
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        self.spent();
        Ok(kept.1)
    }

    /// Says what begins, and about how long all of it will take.
    fn progress(&self, what: &str) {
        let at = self.plan.iter().position(|(slug, _)| *slug == self.name).unwrap_or(0);
        let of_this = self.plan.get(at).map_or(0.0, |(_, s)| (s - self.current.seconds).max(0.0));
        let is_due = |slug: &str| self.read(slug).is_none_or(|kept| kept.shown.is_none());
        let later: f64 = self.plan.iter().skip(at + 1).filter(|(slug, _)| is_due(slug)).map(|(_, s)| s).sum();
        let left = ((of_this + later) / 60.0).ceil();
        say::note(&format!(
            "{} of {}, {}: {what}; about {left} min left",
            at + 1,
            self.plan.len(),
            self.name.replace('-', " ")
        ));
    }
}

/// The build and the size that results belong to: the program file's length and time.
fn build(full: bool) -> String {
    let of_file = || -> Option<String> {
        let data = std::fs::metadata(std::env::current_exe().ok()?).ok()?;
        let time = data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(format!("{}-{}", data.len(), time.as_secs()))
    };
    let size = if full { "full" } else { "default" };
    format!("{} {} {size}", env!("CARGO_PKG_VERSION"), of_file().unwrap_or_default())
}

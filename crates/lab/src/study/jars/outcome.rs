//! What exploring a method came to.

use serde_json::{Value, json};

/// Kinds of results, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Every input takes one of the paths that were found.
    All,
    /// Every input within bounds of inputs does, such as a longest length.
    Within,
    /// Inputs were fixed where an arm could not be decided, or it depends on the clock or on identity hash
    /// codes.
    Sampled,
    /// A bound of the exploration ended paths: time, depth, a length of an array; or inputs were only null.
    Cut,
    /// No solver decided an arm.
    Undecided,
    /// The machine could not follow some path.
    Unsupported,
    /// There is no input, or the method was not explored at all.
    Failed,
    /// The program ended without a result: a bug.
    Crashed,
}

impl Kind {
    pub(super) const EVERY: [Kind; 8] = [
        Kind::All,
        Kind::Within,
        Kind::Sampled,
        Kind::Cut,
        Kind::Undecided,
        Kind::Unsupported,
        Kind::Failed,
        Kind::Crashed,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::All => "all",
            Kind::Within => "within",
            Kind::Sampled => "sampled",
            Kind::Cut => "cut",
            Kind::Undecided => "undecided",
            Kind::Unsupported => "unsupported",
            Kind::Failed => "failed",
            Kind::Crashed => "crashed",
        }
    }

    /// All paths were explored, of all inputs or of those within bounds.
    pub(super) fn is_complete(self) -> bool {
        matches!(self, Kind::All | Kind::Within)
    }
}

/// A method that was explored.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outcome {
    pub jar: String,
    pub method: String,
    pub is_simple: bool,
    pub kind: Kind,
    /// Why it is not complete, the weightiest first; none if it is.
    pub reasons: Vec<String>,
    /// The bounds of inputs that were met.
    pub bounds: Vec<String>,
    pub paths: u64,
    pub replayed: u64,
    pub divergences: u64,
    /// Arms of branches of the method's own code that tests took, and all of them.
    pub branches: (u64, u64),
    pub seconds: f64,
}

impl Outcome {
    fn new(kind: Kind, reasons: Vec<String>) -> Outcome {
        Outcome {
            jar: String::new(),
            method: String::new(),
            is_simple: false,
            kind,
            reasons,
            bounds: Vec::new(),
            paths: 0,
            replayed: 0,
            divergences: 0,
            branches: (0, 0),
            seconds: 0.0,
        }
    }

    /// Ended from outside: its replays took too long.
    pub(super) fn over() -> Outcome {
        Outcome::new(Kind::Cut, vec!["cut by time: replays".into()])
    }

    /// Ended without a result.
    pub(super) fn crashed(why: &str) -> Outcome {
        Outcome::new(Kind::Crashed, vec![why.to_string()])
    }

    /// What a summary says.
    pub(super) fn of_summary(summary: &Value) -> Outcome {
        let count = |name: &str| summary[name].as_u64().unwrap_or(0);
        let names = |name: &str| -> Vec<String> {
            let all = summary[name].as_object().into_iter().flatten();
            all.filter(|(_, count)| count.as_u64() != Some(0)).map(|(name, _)| name.clone()).collect()
        };
        let mut reasons: Vec<(Kind, String)> = Vec::new();
        let mut missing: Vec<(u64, String)> = summary["missing"].as_object().map_or_else(Vec::new, |all| {
            all.iter().map(|(what, paths)| (paths.as_u64().unwrap_or(0), what.clone())).collect()
        });
        missing.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        reasons.extend(missing.into_iter().map(|(_, what)| (Kind::Unsupported, what)));
        if count("undecided") > 0 {
            reasons.push((Kind::Undecided, "an undecided arm".into()));
        }
        for bound in names("cut") {
            // The study interrupts a method whose processor time is over.
            let bound = if bound == "interrupt" { "time".to_string() } else { bound };
            reasons.push((Kind::Cut, format!("cut by {bound}")));
        }
        if summary["bounds"]["references"].as_u64() > Some(0) {
            reasons.push((Kind::Cut, "inputs that are only null".into()));
        }
        // A path that was sampled may have been refused by a constructor behind that.
        if count("sampled") + count("fixings") > 0 {
            reasons.push((Kind::Sampled, "sampled".into()));
        }
        if summary["chosen"]["paths"].as_u64() > Some(0) {
            // What others lead to is not explored.
            reasons.push((Kind::Sampled, "the clock, or what else differs from run to run".into()));
        }
        let explored = summary["explored"].as_str().unwrap_or_default();
        let kind = match (explored, reasons.first()) {
            _ if count("empty") > 0 => Kind::Failed,
            ("all", _) => Kind::All,
            ("within bounds", _) => Kind::Within,
            (_, Some((kind, _))) => *kind,
            (_, None) if count("not_begun") > 0 || count("methods") == 0 => Kind::Cut,
            (_, None) => Kind::Failed,
        };
        let mut words: Vec<String> = reasons.into_iter().map(|(_, what)| what).collect();
        match kind {
            Kind::All | Kind::Within => words.clear(),
            Kind::Cut if words.is_empty() => words.push("cut by time".into()),
            Kind::Failed if count("empty") > 0 => words.insert(0, "no input fits".into()),
            Kind::Failed => words.push("not explored".into()),
            _ => {}
        }
        let branches = &summary["coverage"]["methods"]["branches"];
        let share = |name: &str| branches[name].as_u64().unwrap_or(0);
        Outcome {
            bounds: names("bounds"),
            paths: count("paths"),
            replayed: count("replayed"),
            divergences: count("divergences"),
            branches: (share("covered"), share("total")),
            ..Outcome::new(kind, words)
        }
    }

    /// Its name beside all others.
    pub(super) fn key(&self) -> String {
        format!("{}:{}", self.jar, self.method)
    }

    /// A bug of ours.
    pub(super) fn is_bad(&self) -> bool {
        self.divergences > 0 || self.kind == Kind::Crashed
    }

    /// Whether a reason contains a text; nothing is in everything.
    pub(super) fn has_reason(&self, part: &str) -> bool {
        part.is_empty()
            || self.reasons.iter().any(|reason| reason.contains(part))
            || (self.divergences > 0 && "divergence".contains(part))
    }

    /// As the file of results has it.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "jar": self.jar, "method": self.method, "simple": self.is_simple, "kind": self.kind.name(),
            "reasons": self.reasons, "bounds": self.bounds, "paths": self.paths, "replayed": self.replayed,
            "divergences": self.divergences, "covered": self.branches.0, "branches": self.branches.1,
            "cpu_s": (self.seconds * 100.0).round() / 100.0,
        })
    }

    /// Reads a line of that file.
    pub(super) fn of_json(value: &Value) -> Option<Outcome> {
        let name = value["kind"].as_str()?;
        let words = |name: &str| -> Option<Vec<String>> { serde_json::from_value(value[name].clone()).ok() };
        Some(Outcome {
            jar: value["jar"].as_str()?.into(),
            method: value["method"].as_str()?.into(),
            is_simple: value["simple"].as_bool()?,
            kind: Kind::EVERY.into_iter().find(|kind| kind.name() == name)?,
            reasons: words("reasons")?,
            bounds: words("bounds")?,
            paths: value["paths"].as_u64()?,
            replayed: value["replayed"].as_u64()?,
            divergences: value["divergences"].as_u64()?,
            branches: (value["covered"].as_u64()?, value["branches"].as_u64()?),
            seconds: value["cpu_s"].as_f64()?,
        })
    }
}

/// Why a program gave no result: where it panicked, else the first line of what it said, else its status.
pub(super) fn reason_of_text(said: &str, status: &str) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines().find(|line| line.contains("panicked at")).or_else(|| lines().next());
    first.unwrap_or(status).to_string()
}

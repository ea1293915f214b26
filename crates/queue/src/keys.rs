//! The names of the keys on the server, and the scripts that change them.

use crate::JobId;
use redis::{Cmd, cmd};

/// Before every name. The number is the format version.
const PREFIX: &str = "evergreen:queue:1:";

/// The keys that all jobs share.
pub(crate) struct Keys {
    /// Sorted set: identifiers of jobs by the second in which they were submitted.
    pub(crate) jobs: String,
    /// Stream of at most a few entries: one is added whenever there is something to claim.
    pub(crate) bell: String,
}

impl Default for Keys {
    fn default() -> Keys {
        Keys { jobs: format!("{PREFIX}jobs"), bell: format!("{PREFIX}bell") }
    }
}

impl Keys {
    /// Bytes by their digest.
    pub(crate) fn blob(&self, digest: &str) -> String {
        format!("{PREFIX}blob:{digest}")
    }

    /// One of the keys of a job.
    pub(crate) fn of_job(&self, job: &JobId, part: &str) -> String {
        match part {
            "" => format!("{PREFIX}job:{job}"),
            part => format!("{PREFIX}job:{job}:{part}"),
        }
    }

    /// A script with the keys of a job, in the order that `scripts/begin.lua` names.
    pub(crate) fn script(&self, body: &str, job: &JobId) -> Cmd {
        let mut command = cmd("EVAL");
        command.arg(format!("{}{body}", include_str!("scripts/begin.lua"))).arg(8);
        for part in ["", "stream", "items", "versions", "results", "workers"] {
            command.arg(self.of_job(job, part));
        }
        command.arg(&self.bell).arg(&self.jobs);
        command
    }
}

/// The seven scripts, one for each thing that happens to a job.
pub(crate) mod scripts {
    pub(crate) const SUBMIT: &str = include_str!("scripts/submit.lua");
    pub(crate) const CLAIM: &str = include_str!("scripts/claim.lua");
    pub(crate) const HEARTBEAT: &str = include_str!("scripts/heartbeat.lua");
    pub(crate) const CHANGE: &str = include_str!("scripts/change.lua");
    pub(crate) const RELEASE: &str = include_str!("scripts/release.lua");
    pub(crate) const HEAR: &str = include_str!("scripts/hear.lua");
    pub(crate) const END: &str = include_str!("scripts/end.lua");
}

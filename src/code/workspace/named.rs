//! What a caller's `path` names: a solution, a project, or a folder with projects below.

use std::path::{Path, PathBuf};

use super::Omitted;
use crate::code::CodeError;
use crate::dotnet::locate::{expand_home, nearest};
use crate::dotnet::project::{is_project, lossy};
use crate::dotnet::solution::{Solution, is_solution};
use crate::dotnet::walk::{Walk, walk};

const HINT: &str = "pass a .sln, .slnx, .csproj or a folder with projects";

/// Suggestions that one message holds.
const SHOWN: usize = 4;

/// Existing projects, absolute and without links.
pub(super) struct Named {
    pub path: PathBuf,
    pub projects: Vec<PathBuf>,
    pub omitted: Vec<Omitted>,
}

impl Named {
    pub(super) fn find(asked: &str, base: &Path) -> Result<Self, CodeError> {
        let asked = asked.trim();
        if asked.is_empty() {
            return Err(CodeError::InvalidPath { path: "`path`".into(), reason: "is empty".into(), hint: HINT.into() });
        }
        let path = base.join(expand_home(asked));
        let Ok(path) = path.canonicalize() else {
            let nearest = nearest(&path, base, &["sln", "slnx"]);
            return Err(CodeError::FileNotFound { path: path.display().to_string(), nearest });
        };
        if path.parent().is_none() {
            Err(invalid(&path, "is the root of the file system, not a folder of projects"))
        } else if path.is_dir() {
            Self::below(path)
        } else if is_project(&path) {
            Ok(Self { projects: vec![path.clone()], path, omitted: Vec::new() })
        } else if is_solution(&path) {
            Self::solution(path)
        } else {
            Err(invalid(&path, "is not a solution, project or folder"))
        }
    }

    /// The folder itself, or the one that holds the file.
    pub(super) fn folder(&self) -> PathBuf {
        let above = self.path.parent().filter(|_| !self.path.is_dir());
        above.unwrap_or(&self.path).to_owned()
    }

    fn below(path: PathBuf) -> Result<Self, CodeError> {
        let found = projects_below(&path);
        if found.files.is_empty() {
            return Err(invalid(&path, "is a folder without a project in or below it"));
        }
        let cut = "has too many folders and files to search; projects may be missing";
        let omitted = if found.complete { vec![] } else { vec![Omitted { path: path.clone(), why: cut.into() }] };
        Ok(Self { path, projects: found.files, omitted })
    }

    fn solution(path: PathBuf) -> Result<Self, CodeError> {
        let text = lossy(&path).map_err(|error| invalid(&path, &format!("cannot be read: {error}")))?;
        let solution = Solution::parse(&path, &text).map_err(|reason| invalid(&path, reason))?;
        let folder = path.parent().unwrap_or(&path);
        let mut omitted: Vec<Omitted> = Vec::new();
        let mut leave_out = |written: &str, why: &str| {
            omitted.push(Omitted { path: folder.join(written), why: why.to_owned() });
        };
        let mut projects = Vec::new();
        for written in &solution.projects {
            match folder.join(written).canonicalize() {
                Ok(project) if projects.contains(&project) => {}
                Ok(project) => projects.push(project),
                Err(_) => leave_out(written, "does not exist"),
            }
        }
        for written in &solution.others {
            leave_out(written, "is not a C#, F# or Visual Basic project");
        }
        if projects.is_empty() && omitted.is_empty() {
            return Err(invalid(&path, "is a solution without projects"));
        }
        Ok(Self { path, projects, omitted })
    }
}

pub(super) fn projects_below(folder: &Path) -> Walk {
    walk(folder, |name| is_project(Path::new(name)))
}

/// The one solution or else the one project in `folder`, or, where it has neither, the one project below it.
pub(super) fn only_one_in(folder: &Path) -> Result<PathBuf, CodeError> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| is_solution(path) || is_project(path)).collect();
    files.sort();
    let solutions: Vec<PathBuf> = files.iter().filter(|path| is_solution(path)).cloned().collect();
    let mut candidates = if solutions.is_empty() { files } else { solutions };
    if candidates.is_empty() && folder.parent().is_some() {
        let below = projects_below(folder);
        // of a search that was cut nobody knows whether there is one more
        candidates = if below.complete { below.files } else { Vec::new() };
    }
    match candidates.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(CodeError::NoWorkspace {
            message: format!("no workspace is loaded, and {} has no solution or project", folder.display()),
            hint: "code_load path=<a .sln, .slnx, .csproj or a folder with projects>".into(),
        }),
        several => {
            let names = several.iter().map(|path| path.strip_prefix(folder).unwrap_or(path).to_string_lossy());
            let names: Vec<_> = names.take(SHOWN).collect();
            let more = several.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            Err(CodeError::NoWorkspace {
                message: format!("no workspace is loaded, and {} has {} candidates", folder.display(), several.len()),
                hint: format!("code_load path=<one of {}{more}>", names.join(", ")),
            })
        }
    }
}

fn invalid(path: &Path, reason: &str) -> CodeError {
    CodeError::InvalidPath { path: path.display().to_string(), reason: reason.into(), hint: HINT.into() }
}

//! Where .NET is installed and what it has: the `dotnet` executable, shared frameworks, SDKs.

use std::path::{Path, PathBuf};

use super::DotnetError;
use super::roll_forward::Version;
use crate::environment::{Lookup, process_env};

/// An installation of .NET.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dotnet {
    /// What `DOTNET_ROOT` would be.
    pub root: PathBuf,
    /// The `dotnet` executable, absolute.
    pub host: PathBuf,
}

/// What the executable is called here.
const HOST: &str = if cfg!(windows) { "dotnet.exe" } else { "dotnet" };

/// Where installers put it when nothing says so.
const USUAL: &[&str] =
    &["/usr/share/dotnet", "/usr/lib/dotnet", "/usr/lib64/dotnet", "/usr/local/share/dotnet", "/opt/dotnet"];

impl Dotnet {
    /// `DOTNET_ROOT`, `PATH`, `/etc/dotnet/install_location`, the usual places, in that order.
    pub fn find() -> Result<Self, DotnetError> {
        Self::find_with(&process_env, Path::new("/etc/dotnet/install_location"))
    }

    /// [`Dotnet::find`] with the environment and the install-location file as values.
    pub fn find_with(env: Lookup<'_>, install_location: &Path) -> Result<Self, DotnetError> {
        if let Some(root) = env("DOTNET_ROOT") {
            // A root that is set but wrong is what the user must hear of, not something else found later.
            return Self::at(Path::new(&root)).ok_or_else(|| DotnetError::RuntimeNotFound {
                message: format!("DOTNET_ROOT={} has no {HOST}", Path::new(&root).display()),
                hint: "set DOTNET_ROOT to the folder that contains dotnet, or unset it".into(),
            });
        }
        let on_path = env("PATH").into_iter().flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
        // On PATH it is often a link (/usr/bin/dotnet), the root is where the link ends.
        let on_path = on_path.filter_map(|folder| {
            let host = folder.join(HOST).canonicalize().ok()?;
            Self::at(host.parent()?)
        });
        // The file of this architecture comes first (host: `install_location_x64`).
        let architecture = match std::env::consts::ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            other => other,
        };
        let own = PathBuf::from(format!("{}_{architecture}", install_location.display()));
        let recorded = std::fs::read_to_string(own).or_else(|_| std::fs::read_to_string(install_location));
        let recorded = recorded.unwrap_or_default();
        let recorded = recorded.lines().next().map(str::trim).filter(|line| !line.is_empty()).map(PathBuf::from);
        let home = env("HOME").map(|home| Path::new(&home).join(".dotnet"));
        let places = recorded.into_iter().chain(home).chain(USUAL.iter().map(PathBuf::from));
        on_path.chain(places.filter_map(|place| Self::at(&place))).next().ok_or_else(|| DotnetError::RuntimeNotFound {
            message: format!("no {HOST} in DOTNET_ROOT, PATH, ~/.dotnet, {}", USUAL.join(", ")),
            hint: "install .NET, or set DOTNET_ROOT to its folder; run `clrbridge doctor`".into(),
        })
    }

    /// The installation in `root`, if there is one.
    pub fn at(root: &Path) -> Option<Self> {
        let root = root.canonicalize().ok()?;
        let host = root.join(HOST);
        // A distribution's wrapper script on PATH has no frameworks beside it.
        (host.is_file() && root.join("shared").is_dir()).then_some(Self { root, host })
    }

    /// Shared frameworks as (name, version), sorted, lowest version first.
    pub fn runtimes(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, Version)> = folders(&self.root.join("shared"))
            .flat_map(|name| {
                let versions: Vec<_> = folders(&self.root.join("shared").join(&name)).collect();
                versions.into_iter().filter_map(move |version| Some((name.clone(), Version::parse(&version)?)))
            })
            .collect();
        found.sort();
        found.into_iter().map(|(name, version)| (name, version.to_string())).collect()
    }

    /// SDK versions, lowest first.
    pub fn sdks(&self) -> Vec<String> {
        let sdk = self.root.join("sdk");
        let mut found: Vec<Version> = folders(&sdk)
            .filter(|version| sdk.join(version).join("dotnet.dll").is_file())
            .filter_map(|version| Version::parse(&version))
            .collect();
        found.sort();
        found.iter().map(Version::to_string).collect()
    }
}

fn folders(folder: &Path) -> impl Iterator<Item = String> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().is_dir()).filter_map(|entry| entry.file_name().into_string().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::fs;

    fn install(root: &Path) {
        fs::create_dir_all(root.join("shared/Microsoft.NETCore.App/8.0.33")).unwrap();
        fs::create_dir_all(root.join("shared/Microsoft.NETCore.App/10.0.12")).unwrap();
        fs::create_dir_all(root.join("sdk/10.0.401")).unwrap();
        fs::write(root.join("sdk/10.0.401/dotnet.dll"), "").unwrap();
        fs::write(root.join(HOST), "").unwrap();
    }

    #[test]
    fn root_variable_wins_over_path_and_a_wrong_one_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        install(&a);
        install(&b);
        let env = |name: &str| match name {
            "DOTNET_ROOT" => Some(OsString::from(&a)),
            "PATH" => Some(OsString::from(&b)),
            _ => None,
        };
        assert_eq!(Dotnet::find_with(&env, Path::new("")).unwrap().root, a.canonicalize().unwrap());
        let wrong = |name: &str| (name == "DOTNET_ROOT").then(|| OsString::from("/nowhere"));
        let error = Dotnet::find_with(&wrong, Path::new("")).unwrap_err();
        assert!(error.to_string().starts_with("DOTNET_ROOT=/nowhere has no dotnet"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn link_on_path_leads_to_the_root_and_the_install_location_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let (root, bin) = (dir.path().join("root"), dir.path().join("bin"));
        install(&root);
        fs::create_dir_all(&bin).unwrap();
        std::os::unix::fs::symlink(root.join(HOST), bin.join(HOST)).unwrap();
        let env = |name: &str| (name == "PATH").then(|| OsString::from(&bin));
        let found = Dotnet::find_with(&env, Path::new("")).unwrap();
        assert_eq!(found.root, root.canonicalize().unwrap());
        assert_eq!(found.sdks(), ["10.0.401"]);
        let runtimes: Vec<String> = found.runtimes().into_iter().map(|(_, version)| version).collect();
        assert_eq!(runtimes, ["8.0.33", "10.0.12"], "by number, not by letter");

        let recorded = dir.path().join("install_location");
        fs::write(&recorded, format!("{}\n", root.display())).unwrap();
        assert_eq!(Dotnet::find_with(&|_| None, &recorded).unwrap().host, found.host);
    }
}

//! What a project builds, as far as its text shows.

use super::{ProjectFile, attribute, elements};

/// What comes of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectKind {
    Exe,
    Library,
    Test,
    Web,
}

/// Packages that make a project a program of tests; helpers of tests have the frameworks' other packages.
const TEST_PACKAGES: &[&str] = &["Microsoft.NET.Test.Sdk", "xunit.v3", "MSTest", "TUnit"];

impl ProjectFile {
    /// `None` where only MSBuild can say.
    pub(crate) fn kind(&self) -> Option<ProjectKind> {
        let sdk = elements(&self.text, "Project").next().and_then(|tag| attribute(tag, "Sdk"))?;
        let sdk = sdk.split('/').next().unwrap_or_default();
        let is_test = match self.property("IsTestProject") {
            Some(said) => said.eq_ignore_ascii_case("true"),
            None => sdk == "MSTest.Sdk" || self.packages().any(|name| TEST_PACKAGES.contains(&name)),
        };
        if is_test {
            return Some(ProjectKind::Test);
        }
        if ["Microsoft.NET.Sdk.Web", "Microsoft.NET.Sdk.BlazorWebAssembly"].contains(&sdk) {
            return Some(ProjectKind::Web);
        }
        if self.texts().any(|text| elements(text, "OutputType").next().is_some()) {
            return match self.property("OutputType")?.to_ascii_lowercase().as_str() {
                "library" => Some(ProjectKind::Library),
                "exe" | "winexe" | "appcontainerexe" => Some(ProjectKind::Exe),
                _ => None,
            };
        }
        match sdk {
            "Microsoft.NET.Sdk.Worker" => Some(ProjectKind::Exe),
            _ if self.texts().any(|text| elements(text, "Import").next().is_some()) => None,
            "Microsoft.NET.Sdk" | "Microsoft.NET.Sdk.Razor" => Some(ProjectKind::Library),
            _ => None,
        }
    }

    /// The framework of a project of tests, by its packages or SDK: xunit, nunit, mstest or tunit.
    pub(crate) fn test_framework(&self) -> Option<&'static str> {
        let sdk = elements(&self.text, "Project").next().and_then(|tag| attribute(tag, "Sdk"));
        let names = self.packages().chain(sdk.map(|sdk| sdk.split('/').next().unwrap_or_default()));
        let lower: Vec<String> = names.map(str::to_lowercase).collect();
        ["xunit", "nunit", "mstest", "tunit"]
            .into_iter()
            .find(|framework| lower.iter().any(|name| name.split('.').next().is_some_and(|first| first == *framework)))
    }

    fn packages(&self) -> impl Iterator<Item = &str> {
        self.texts().flat_map(|text| elements(text, "PackageReference")).filter_map(|tag| attribute(tag, "Include"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(sdk: &str, inner: &str) -> Option<ProjectKind> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("A.csproj");
        std::fs::write(&path, format!("<Project Sdk=\"{sdk}\">{inner}</Project>")).unwrap();
        ProjectFile::read(&path).unwrap().kind()
    }

    #[test]
    fn the_text_shows_what_a_project_builds_or_says_nothing() {
        use ProjectKind::*;
        let plain = "Microsoft.NET.Sdk";
        let test = "<PackageReference Include=\"Microsoft.NET.Test.Sdk\" Version=\"18\" />";
        for (sdk, inner, expected) in [
            (plain, "", Some(Library)),
            (plain, "<OutputType>Exe</OutputType>", Some(Exe)),
            (plain, "<OutputType>WinExe</OutputType>", Some(Exe)),
            (plain, "<OutputType>Library</OutputType>", Some(Library)),
            (plain, "<OutputType>$(Kind)</OutputType>", None),
            (plain, "<OutputType Condition=\"'$(A)'==''\">Exe</OutputType>", None),
            (plain, "<Import Project=\"x.props\" />", None),
            (plain, test, Some(Test)),
            (plain, &format!("{test}<IsTestProject>false</IsTestProject>"), Some(Library)),
            (plain, "<IsTestProject>true</IsTestProject><OutputType>Exe</OutputType>", Some(Test)),
            (plain, "<PackageReference Include=\"xunit.assert\" />", Some(Library)),
            ("Microsoft.NET.Sdk.Web", "", Some(Web)),
            ("Microsoft.NET.Sdk.Web/10.0.1", "", Some(Web)),
            ("Microsoft.NET.Sdk.Worker", "", Some(Exe)),
            ("MSTest.Sdk/4.0", "", Some(Test)),
            ("Someones.Own.Sdk", "", None),
        ] {
            assert_eq!(kind(sdk, inner), expected, "{sdk} {inner}");
        }
    }
}

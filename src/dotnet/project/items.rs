//! What a project includes: other projects, sources and whatever else.

use std::path::PathBuf;

use super::{ProjectFile, attribute, elements, unescape};

impl ProjectFile {
    /// Projects that it references, as far as their paths are literal.
    pub(crate) fn references(&self) -> Vec<PathBuf> {
        elements(&self.text, "ProjectReference").filter_map(|tag| self.resolve(attribute(tag, "Include")?)).collect()
    }

    /// Folders and files outside the project's folder that items include (`<Compile Include="../Shared/*.cs">`).
    pub(crate) fn outside_sources(&self) -> Vec<PathBuf> {
        let items = ["Compile", "Content", "None", "EmbeddedResource", "AdditionalFiles"];
        let includes =
            items.iter().flat_map(|item| elements(&self.text, item)).filter_map(|tag| attribute(tag, "Include"));
        let parts = includes.flat_map(|include| include.split(';')).filter_map(|part| self.properties.expand(part));
        parts
            .filter_map(|part| {
                let wild = part.find(['*', '?']).unwrap_or(part.len());
                let literal = part.get(..wild)?;
                // Up to the last separator when a pattern begins behind it.
                let literal = if wild < part.len() {
                    literal.rsplit_once(['/', '\\']).map_or(literal, |(folder, _)| folder)
                } else {
                    literal
                };
                self.resolve(literal).filter(|path| !path.starts_with(self.folder()))
            })
            .collect()
    }

    /// The paths and patterns of items, with `/`, as far as they are literal or of known properties: `items("Compile", "Remove")`.
    pub(crate) fn items(&self, item: &str, verb: &str) -> Vec<String> {
        let written = self.texts().flat_map(|text| elements(text, item)).filter_map(|tag| attribute(tag, verb));
        let parts = written.flat_map(|list| list.split(';')).map(str::trim).filter(|part| !part.is_empty());
        let known = parts.filter_map(|part| self.properties.expand(part));
        known.map(|part| unescape(&part).replace('\\', "/")).collect()
    }

    /// Whether the SDK takes every source below the project's folder.
    pub(crate) fn has_default_items(&self) -> bool {
        let off = |name: &str| self.property(name).is_some_and(|value| value.eq_ignore_ascii_case("false"));
        self.text.contains("Sdk") && !off("EnableDefaultItems") && !off("EnableDefaultCompileItems")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::project;
    use super::*;
    use std::fs;

    #[test]
    fn references_and_outside_sources_are_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for folder in ["app", "lib", "shared"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        fs::write(root.join("lib/Lib.csproj"), "").unwrap();
        fs::write(root.join("shared/One.cs"), "").unwrap();
        let text = "<Project Sdk='x'><ItemGroup>\
            <ProjectReference Include=\"..\\lib\\Lib.csproj\" />\
            <ProjectReference PrivateAssets='all' Include='../gone/Gone.csproj'></ProjectReference>\
            <Compile Include=\"../shared/**/*.cs\" Link=\"x\" />\
            <Compile Include=\"../shared/One.cs\" /></ItemGroup></Project>";
        fs::write(root.join("app/App.csproj"), text).unwrap();
        let read = ProjectFile::read(&root.join("app/App.csproj")).unwrap();
        assert_eq!(read.references(), [root.join("lib/Lib.csproj")]);
        assert_eq!(read.outside_sources(), [root.join("shared"), root.join("shared/One.cs")]);
    }

    #[test]
    fn sources_behind_a_property_are_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for folder in ["app", "shared"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        let text = "<Project Sdk='Microsoft.NET.Sdk'><ItemGroup><Compile Include=\"$(Shared)**/*.cs;$(Own)*.cs\" /></ItemGroup>\
            <PropertyGroup><Shared>$(MSBuildProjectDirectory)/../shared/</Shared><Own>$(MSBuildProjectDirectory)/</Own>\
            </PropertyGroup></Project>";
        fs::write(root.join("app/App.csproj"), text).unwrap();
        let read = ProjectFile::read(&root.join("app/App.csproj")).unwrap();
        assert_eq!(read.outside_sources(), [root.join("shared")]);
    }

    #[test]
    fn conditions_of_items_are_left_to_msbuild() {
        let item = "<ItemGroup><ProjectReference Include=\"../L.csproj\" Condition=\"'$(TargetFramework)' != ''\" /></ItemGroup>";
        let text = format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\">{item}<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"
        );
        let (_dir, read) = project(&text, None);
        assert_eq!(read.items("ProjectReference", "Include"), ["../L.csproj"]);
    }
}

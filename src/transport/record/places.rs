//! Folders of this machine, written as placeholders (`${workspace}`) that a replay fills with its own.

use std::borrow::Cow;

/// Names and the folders they stand for.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The folder as it stands within JSON, and `${name}`; longer folders first, as one may lie in another.
    places: Vec<(String, String)>,
}

impl Places {
    /// Relative folders and the root itself are no places.
    pub fn new<'a>(places: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut places: Vec<_> = places
            .into_iter()
            .map(|(name, folder)| (name, folder.trim_end_matches(['/', '\\'])))
            .filter(|(_, folder)| folder.len() > 1 && std::path::Path::new(folder).is_absolute())
            .map(|(name, folder)| (in_json(folder), format!("${{{name}}}")))
            .collect();
        places.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
        Self { places }
    }

    /// The body of a message with placeholders. Bytes that are no text stay as they are around them.
    pub(super) fn taken_out<'a>(&self, body: &'a [u8]) -> Cow<'a, [u8]> {
        self.places.iter().fold(Cow::Borrowed(body), |body, (folder, placeholder)| {
            match replaced(&body, folder.as_bytes(), placeholder.as_bytes()) {
                Some(changed) => Cow::Owned(changed),
                None => body,
            }
        })
    }
}

/// A Windows path has backslashes, which JSON doubles.
fn in_json(folder: &str) -> String {
    folder.replace('\\', "\\\\")
}

/// `None` where there is nothing to replace. `/tmp` is not the beginning of `/tmpfs`, nor the end of `/var/tmp`.
fn replaced(body: &[u8], folder: &[u8], placeholder: &[u8]) -> Option<Vec<u8>> {
    let part_of_name =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte));
    let mut out: Option<Vec<u8>> = None;
    let mut copied = 0;
    let mut from = 0;
    while let Some(at) = find(body, folder, from) {
        from = at + folder.len();
        let before = at.checked_sub(1).and_then(|before| body.get(before));
        if part_of_name(before) || before == Some(&b'}') || part_of_name(body.get(from)) {
            continue;
        }
        let out = out.get_or_insert_default();
        out.extend_from_slice(body.get(copied..at)?);
        out.extend_from_slice(placeholder);
        copied = from;
    }
    let mut out = out?;
    out.extend_from_slice(body.get(copied..)?);
    Some(out)
}

fn find(body: &[u8], folder: &[u8], from: usize) -> Option<usize> {
    body.get(from..)?.windows(folder.len()).position(|window| window == folder).map(|at| at + from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_become_placeholders_where_they_are_whole_folders() {
        let places = Places::new([("tmp", "/tmp"), ("workspace", "/tmp/work/"), ("home", "/"), ("other", "relative")]);
        let table: [(&[u8], &[u8]); 7] = [
            (b"\"/tmp/work/a.cs\"", b"\"${workspace}/a.cs\""),
            (b"\"/tmp/works\" \"/tmp\"", b"\"${tmp}/works\" \"${tmp}\""),
            (b"\"/tmpfs\" \"/var/tmp\" \"/tmp.x\"", b"\"/tmpfs\" \"/var/tmp\" \"/tmp.x\""),
            (b"\"/tmp\xff\" /tmp", b"\"${tmp}\xff\" ${tmp}"),
            (b"at /tmp/work/a.cs:line 3", b"at ${workspace}/a.cs:line 3"),
            (b"/tmp/work/tmp/x", b"${workspace}/tmp/x"),
            (b"nothing", b"nothing"),
        ];
        for (body, expected) in table {
            let got = places.taken_out(body);
            assert_eq!(got.as_ref(), expected, "{}", String::from_utf8_lossy(body));
        }
    }
}

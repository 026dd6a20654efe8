//! What cannot be answered, each with its code and what to do.

use serde_json::json;

use super::{client, connect, data, error, ok};

#[tokio::test]
async fn what_is_not_there_is_reported_with_what_is_near() {
    let client = client().await;
    for (tool, arguments, code, message, hint) in [
        (
            "modules_search",
            json!({"pattern": "x", "assembly": "Basic.dll"}),
            "file_not_found",
            "Basic.dll",
            "Basics.dll",
        ),
        ("types_get", json!({"assembly": "no/such/X.dll"}), "file_not_found", "no/such/X.dll", "built dll"),
        ("types_get", json!({"assembly": "."}), "invalid_argument", "is a folder", "one of its dlls"),
        ("types_get", json!({"assembly": "Basics.pdb"}), "invalid_argument", "not a PE file", ".NET dll"),
        ("types_get", json!({}), "no_session", "no debug session", "`assembly`"),
        ("types_get", json!({"module": "a", "assembly": "b"}), "invalid_argument", "cannot be combined", "`module`"),
        (
            "types_get",
            json!({"assembly": "Basics.dll", "namespace": "Basic"}),
            "type_not_found",
            "no namespace Basic",
            "Basics",
        ),
        ("types_get", json!({"assembly": "Basics.dll", "namespace": "(x"}), "invalid_pattern", "`namespace`", "*"),
        (
            "types_get",
            json!({"assembly": "Basics.dll", "continuation_token": "x"}),
            "invalid_argument",
            "not a token issued by types_get",
            "again",
        ),
        (
            "types_get",
            json!({"assembly": "Basics.dll", "continuation_token": "2-00000000"}),
            "invalid_argument",
            "a different build",
            "again",
        ),
        ("types_get", json!({"module": "Basics.dll"}), "no_session", "no debug session", "`assembly`"),
        ("modules_search", json!({"pattern": "x"}), "no_session", "no debug session", "`assembly`"),
        (
            "modules_search",
            json!({"pattern": "^Order$", "assembly": "Basics.dll"}),
            "invalid_pattern",
            "regular expression",
            "Order*",
        ),
        ("modules_search", json!({"pattern": " ", "assembly": "Basics.dll"}), "invalid_pattern", "is empty", "Order*"),
        (
            "members_get",
            json!({"type": "Ordr", "assembly": "Basics.dll"}),
            "type_not_found",
            "no type Ordr",
            "Basics.Order",
        ),
        (
            "members_get",
            json!({"type": "Qzxqz", "assembly": "Basics.dll"}),
            "type_not_found",
            "no type Qzxqz",
            "modules_search",
        ),
        ("members_get", json!({"type": "List<", "assembly": "Basics.dll"}), "invalid_argument", "List<", "C#"),
        (
            "members_get",
            json!({"type": "a\u{0}b\n", "assembly": "Basics.dll"}),
            "type_not_found",
            "a\u{0}b",
            "modules_search",
        ),
        (
            "members_get",
            json!({"type": "Order", "assembly": "Basics.dll", "static": false, "instance": false}),
            "invalid_argument",
            "both false",
            "default",
        ),
        (
            "members_get",
            json!({"type": "Order", "assembly": "Basics.dll", "kinds": ["field"]}),
            "invalid_argument",
            "kinds[0]",
            "fields",
        ),
        (
            "layout_get",
            json!({"type": "Collections.Program", "assembly": "Collections.dll"}),
            "invalid_argument",
            "static class",
            "struct",
        ),
        (
            "layout_get",
            json!({"type": "IShape", "assembly": "Generics.dll"}),
            "invalid_argument",
            "interface",
            "members_get",
        ),
        (
            "layout_get",
            json!({"type": "Ordr", "assembly": "Basics.dll"}),
            "type_not_found",
            "no type Ordr",
            "Basics.Order",
        ),
        ("layout_get", json!({"type": "Order"}), "no_session", "no debug session", "`assembly`"),
        ("members_get", json!({"type": "Order"}), "no_session", "no debug session", "`assembly`"),
    ] {
        let case = format!("{tool} {arguments}");
        let error = error(&client, tool, arguments).await;
        assert_eq!(error["code"], code, "{case}: {error}");
        assert!(error["message"].as_str().unwrap().contains(message), "{case}: {error}");
        assert!(error["hint"].as_str().unwrap().contains(hint), "{case}: {error}");
    }
}

#[tokio::test]
async fn damaged_and_foreign_files_are_errors_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(data("data/assemblies/Basics.dll")).unwrap();
    let client = connect(folder.path().to_owned()).await;
    std::fs::write(folder.path().join("empty.dll"), b"").unwrap();
    std::fs::write(folder.path().join("text.dll"), b"MZ but no more than that").unwrap();
    for name in ["empty.dll", "text.dll"] {
        let error = error(&client, "types_get", json!({"assembly": name})).await;
        assert_eq!(error["code"], "invalid_argument", "{error}");
        assert!(error["message"].as_str().unwrap().contains(name), "{error}");
    }
    for length in (0..whole.len()).step_by(512) {
        std::fs::write(folder.path().join("cut.dll"), &whole[..length]).unwrap();
        for (tool, arguments) in [
            ("types_get", json!({"assembly": "cut.dll"})),
            ("modules_search", json!({"pattern": "*", "assembly": "cut.dll"})),
            ("members_get", json!({"type": "Order", "assembly": "cut.dll", "include_inherited": true})),
        ] {
            let result = super::call(&client, tool, arguments).await;
            let json = result.structured_content.unwrap();
            // A cut file is refused, or what is left of it is reported; never an error of ours.
            assert!(
                matches!(json["code"].as_str(), None | Some("invalid_argument" | "type_not_found")),
                "{length}: {json}"
            );
        }
    }
}

#[tokio::test]
async fn a_folder_is_searched_past_what_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(data("data/assemblies/Basics.dll"), folder.path().join("Basics.dll")).unwrap();
    std::fs::write(folder.path().join("native.dll"), b"MZ and so on").unwrap();
    let client = connect(folder.path().to_owned()).await;
    let report = ok(&client, "modules_search", json!({"pattern": "Order", "assembly": "."})).await;
    assert_eq!((&report["assemblies"][0]["module"], &report["unreadable"]), (&json!("Basics.dll"), &json!(1)));
    let empty = tempfile::tempdir().unwrap();
    let arguments = json!({"pattern": "Order", "assembly": empty.path()});
    assert_eq!(error(&client, "modules_search", arguments).await["code"], "file_not_found");
}

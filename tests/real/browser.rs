//! A browser: Chromium without a window, driven through WebDriver. Where it is missing, the test is skipped.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::wd::{Capabilities, Locator};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::harness::skip;

/// A page that does not get there in this time never does; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// The accessibility checker (`axe.min.js` of the npm package axe-core), where somebody has fetched it.
const AXE: &str = "CLRBRIDGE_AXE";

/// How a person has set up their browser.
#[derive(Clone, Copy, Default)]
pub struct Setup {
    pub dark: bool,
    pub without_scripts: bool,
}

pub struct Browser {
    runtime: Runtime,
    client: Client,
    driver: Child,
    _profile: tempfile::TempDir,
}

fn installed(names: &[&str], what: &str) -> PathBuf {
    names.iter().find_map(|name| which::which(name).ok()).unwrap_or_else(|| skip(what))
}

impl Browser {
    pub fn open(setup: Setup) -> Self {
        let chromium = installed(&["chromium", "chromium-browser", "google-chrome"], "no Chromium");
        let chromedriver = installed(&["chromedriver"], "no chromedriver");
        let profile = tempfile::tempdir().unwrap();
        // a group of its own, so that the browser ends with it, however the test ends
        let mut driver = Command::new(chromedriver)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
        let started = lines.find(|line| line.contains("started successfully on port")).expect("chromedriver starts");
        let port = started.rsplit(' ').next().unwrap().trim_end_matches('.').to_owned();
        // read away: a full pipe would stop it
        std::thread::spawn(move || lines.for_each(drop));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime
            .block_on(
                ClientBuilder::new(HttpConnector::new())
                    .capabilities(capabilities(&chromium, profile.path(), setup))
                    .connect(&format!("http://127.0.0.1:{port}")),
            )
            .unwrap();
        Self { runtime, client, driver, _profile: profile }
    }

    pub fn go(&self, address: &str) {
        self.runtime.block_on(self.client.goto(address)).unwrap();
    }

    pub fn address(&self) -> String {
        self.runtime.block_on(self.client.current_url()).unwrap().to_string()
    }

    pub fn resize(&self, width: u32, height: u32) {
        self.runtime.block_on(self.client.set_window_size(width, height)).unwrap();
    }

    /// Waits until an element has this text somewhere in it.
    #[track_caller]
    pub fn until(&self, id: &str, text: &str) {
        self.until_there(&format!("//*[@id='{id}'][contains(normalize-space(.), '{text}')]"));
    }

    /// Waits until a table has a row with this head and these first cells.
    #[track_caller]
    pub fn until_row(&self, id: &str, head: &str, cells: &[&str]) {
        let cells = cells.iter().enumerate();
        let cells: String = cells.map(|(at, cell)| format!("[td[{}][normalize-space(.)='{cell}']]", at + 1)).collect();
        self.until_there(&format!("//*[@id='{id}']//tr[th[starts-with(normalize-space(.), '{head}')]]{cells}"));
    }

    #[track_caller]
    fn until_there(&self, path: &str) {
        let wait = self.client.wait().at_most(PATIENCE).for_element(Locator::XPath(path));
        if let Err(error) = self.runtime.block_on(wait) {
            panic!("{path}: {error}; the page: {}", self.text("body"));
        }
    }

    pub fn text(&self, css: &str) -> String {
        self.runtime.block_on(async { self.client.find(Locator::Css(css)).await.unwrap().text().await.unwrap() })
    }

    #[track_caller]
    pub fn click(&self, css: &str) {
        let clicked = self.runtime.block_on(async { self.client.find(Locator::Css(css)).await?.click().await });
        clicked.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Types into the element that has the focus.
    pub fn type_keys(&self, keys: &str) {
        self.runtime.block_on(async { self.client.active_element().await.unwrap().send_keys(keys).await }).unwrap();
    }

    pub fn write(&self, css: &str, keys: &str) {
        self.runtime
            .block_on(async { self.client.find(Locator::Css(css)).await?.send_keys(keys).await })
            .unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// What a function's body returns in the page.
    pub fn run(&self, body: &str) -> Value {
        self.runtime.block_on(self.client.execute(body, Vec::new())).unwrap()
    }

    /// What a promise of the page comes to.
    pub fn awaited(&self, promise: &str) -> Value {
        let body = format!("const done = arguments[0]; ({promise}).then(done, (error) => done('failed: ' + error));");
        self.runtime.block_on(self.client.execute_async(&body, Vec::new())).unwrap()
    }

    /// Presses Tab until the element that has the focus fits, as somebody without a mouse does.
    #[track_caller]
    pub fn tab_to(&self, selector: &str) {
        for _ in 0..200 {
            self.type_keys("\u{e004}");
            if self.run(&format!("return document.activeElement.matches({})", json!(selector))) == json!(true) {
                return;
            }
        }
        panic!("the focus never comes to {selector}");
    }

    /// Fails for what keeps people out; says so where the checker is not there.
    #[track_caller]
    pub fn assert_accessible(&self) {
        let Some(axe) = std::env::var_os(AXE).filter(|path| Path::new(path).is_file()) else {
            println!("accessibility is not checked: {AXE} names no axe.min.js");
            return;
        };
        self.run(&std::fs::read_to_string(axe).unwrap());
        let grave = "axe.run().then((found) => found.violations.filter((it) => it.impact !== 'minor')\
                     .map((it) => it.id + ': ' + it.nodes.map((node) => node.html).join(' ')))";
        assert_eq!(self.awaited(grave), json!([]));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.client.clone().close());
        let group = i32::try_from(self.driver.id()).unwrap();
        // SAFETY: a plain system call; the group is that of the driver, which is not reaped yet.
        unsafe { libc::kill(-group, libc::SIGKILL) };
        let _ = self.driver.wait();
    }
}

fn capabilities(chromium: &Path, profile: &Path, setup: Setup) -> Capabilities {
    let mut arguments = vec![
        "--headless".to_owned(),
        "--no-sandbox".into(),
        "--disable-gpu".into(),
        "--no-first-run".into(),
        "--disable-background-networking".into(),
        "--disable-component-update".into(),
        "--disable-sync".into(),
        "--disable-quic".into(),
        "--disable-dev-shm-usage".into(),
        "--window-size=1400,1600".into(),
        format!("--user-data-dir={}", profile.display()),
    ];
    if setup.dark {
        arguments.push("--blink-settings=preferredColorScheme=0".into());
    }
    let mut options = json!({"binary": chromium, "args": arguments});
    if setup.without_scripts {
        options["prefs"] = json!({"profile.managed_default_content_settings.javascript": 2});
    }
    json!({"goog:chromeOptions": options}).as_object().cloned().unwrap()
}

//! Who may ask: whoever has the token, from where [`Hosts`] allows.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use subtle::ConstantTimeEq as _;

use super::host::Hosts;
use super::rate::Rate;

/// Where a user sets the token.
pub const TOKEN_VARIABLE: &str = "CLRBRIDGE_TOKEN";
/// A shorter one could be guessed.
const SHORTEST_TOKEN: usize = 16;

/// Requests at once and per second, with the token and without: what a client asks for is work, what others ask for is a guess.
const REQUESTS: (u32, u32) = (5_000, 2_000);
const GUESSES: (u32, u32) = (20, 5);

/// Why a token cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("{TOKEN_VARIABLE} must have at least {SHORTEST_TOKEN} characters, all of them visible ASCII")]
    Unfit,
    #[error("cannot generate a token: {0}")]
    Random(getrandom::Error),
}

/// What a client has to know.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// One that the user chose.
    ///
    /// # Errors
    /// It is too short, or cannot stand in a header.
    pub fn given(text: &str) -> Result<Self, TokenError> {
        let is_fit = text.len() >= SHORTEST_TOKEN && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_fit { Ok(Self(text.to_owned())) } else { Err(TokenError::Unfit) }
    }

    /// One that nobody can guess.
    ///
    /// # Errors
    /// The operating system has no random numbers.
    pub fn random() -> Result<Self, TokenError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(TokenError::Random)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes as long whatever differs.
    pub fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

/// Cheap to clone; all clones share their limits.
#[derive(Clone)]
pub struct Access(Arc<Inner>);

struct Inner {
    token: Token,
    hosts: Hosts,
    /// What a browser keeps instead of the token, under a name of its own: cookies do not distinguish ports.
    cookie: (String, Token),
    /// What a form of ours carries, and no other page knows.
    form: Token,
    requests: Rate,
    guesses: Rate,
}

impl Access {
    /// For a server that listens on `port`.
    ///
    /// # Errors
    /// The operating system has no random numbers.
    pub fn new(token: Token, hosts: Hosts, port: u16) -> Result<Self, TokenError> {
        let (requests, guesses) = (Rate::new(REQUESTS.0, REQUESTS.1), Rate::new(GUESSES.0, GUESSES.1));
        let (cookie, form) = ((format!("clrbridge_{port}"), Token::random()?), Token::random()?);
        Ok(Self(Arc::new(Inner { token, hosts, cookie, form, requests, guesses })))
    }

    pub fn token(&self) -> &Token {
        &self.0.token
    }

    /// A layer: only requests that name this server, and that no other site's page sends.
    pub async fn from_here(State(access): State<Self>, request: Request, next: Next) -> Response {
        match access.0.hosts.check(request.uri(), request.headers()) {
            Ok(()) => next.run(request).await,
            Err((status, why)) => refusal(status, why),
        }
    }

    /// A layer: only requests with the token in `Authorization`.
    pub async fn with_token(State(access): State<Self>, request: Request, next: Next) -> Response {
        match access.refused(access.has_token(request.headers())) {
            None => next.run(request).await,
            Some(refusal) => refusal,
        }
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|given| self.0.token.is(given))
    }

    /// Whether a request comes from a browser that was let in, or has the token.
    pub fn is_let_in(&self, headers: &HeaderMap) -> bool {
        let (name, value) = &self.0.cookie;
        let cookies = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(given, secret)| given == name && value.is(secret)) || self.has_token(headers)
    }

    /// For a browser that had the token: it keeps this until it is closed, shows it to no script, and sends it only with requests that
    /// our own pages make.
    pub fn cookie(&self) -> String {
        let (name, value) = &self.0.cookie;
        format!("{name}={}; Path=/; HttpOnly; SameSite=Strict", value.as_str())
    }

    /// What a form has to carry.
    pub fn form(&self) -> &Token {
        &self.0.form
    }

    /// Counts a request that has, or has not, what it takes. What to answer to one that is not let in.
    pub fn refused(&self, is_known: bool) -> Option<Response> {
        let now = Instant::now();
        let rate = if is_known { &self.0.requests } else { &self.0.guesses };
        if !rate.admits(now) {
            let mut refused = refusal(StatusCode::TOO_MANY_REQUESTS, "too many requests");
            refused.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
            return Some(refused);
        }
        if is_known {
            return None;
        }
        let mut refused = refusal(StatusCode::UNAUTHORIZED, "send the token: Authorization: Bearer TOKEN");
        refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        Some(refused)
    }
}

/// The token of an `Authorization` header, if there is exactly one.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (given.next(), given.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn refusal(status: StatusCode, why: &str) -> Response {
    (status, Body::from(format!("{why}\n"))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_and_visible_and_made_ones_differ() {
        for unfit in ["", "short", "with a space in it", "tab\tin-the-middle", "sixteen-chars-\u{e9}-"] {
            assert!(Token::given(unfit).is_err(), "{unfit}");
        }
        let token = Token::given("0123456789abcdef").unwrap();
        assert!(token.is("0123456789abcdef"));
        for wrong in ["", "0123456789abcde", "0123456789abcdeg", "0123456789abcdef0"] {
            assert!(!token.is(wrong), "{wrong}");
        }
        let (one, two) = (Token::random().unwrap(), Token::random().unwrap());
        assert!(one.as_str().len() == 64 && !one.is(two.as_str()));
    }

    #[test]
    fn the_token_is_read_from_one_bearer_header_only() {
        let of = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, value.parse().unwrap());
            }
            bearer(&headers).map(str::to_owned)
        };
        assert_eq!(of(&["Bearer abc"]).as_deref(), Some("abc"));
        assert_eq!(of(&["bearer  abc"]).as_deref(), Some("abc"));
        for wrong in [&[][..], &["abc"], &["Basic abc"], &["Bearer abc", "Bearer abd"]] {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
    }
}

//! The adapter alone, for an editor or to try it out: `cargo run -p clr-engine --example adapter`.

fn main() {
    clr_engine::serve(std::io::stdin(), std::io::stdout());
}

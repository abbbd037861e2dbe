//! The table of `README.md` is what the claims say.

const BEGIN: &str = "<!-- made by `cargo run -p model -- table` -->\n\n";

#[test]
fn the_readme_has_the_table_of_the_claims() {
    let page = include_str!("../README.md");
    let made = page.split_once(BEGIN).map(|(_, made)| made);
    assert_eq!(made.map(str::trim_end), Some(model::table::page().trim_end()));
}

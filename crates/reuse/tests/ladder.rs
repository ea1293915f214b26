//! The ladder in the documents is the ladder in the code.

use evergreen_reuse::ladder_table;

#[test]
fn the_table_in_the_document_is_the_list() {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ARCHITECTURE.md");
    let text = std::fs::read_to_string(document).expect("the document is there");
    let table = ladder_table();
    assert!(text.contains(&table), "ARCHITECTURE.md should have this table:\n{table}");
}

//! The named choices (docs/spec/00-conventions.md): where the source is silent and reasonable implementations
//! differ.

macro_rules! choices {
    ($(
        $(#[$what:meta])*
        $field:ident: $kind:ident = $name:literal { $($variant:ident $word:literal,)+ }
    )*) => {
        $(
            $(#[$what])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum $kind {
                $(#[doc = concat!("`", $word, "`")] $variant,)+
            }

            impl $kind {
                /// The choice's name.
                pub const NAME: &'static str = $name;
                /// Its values, the default first.
                pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

                /// The value's word.
                #[must_use]
                pub const fn as_str(self) -> &'static str {
                    match self { $(Self::$variant => $word,)+ }
                }

                /// Reads a value's word, exactly.
                #[must_use]
                pub fn parse(word: &str) -> Option<Self> {
                    Self::ALL.iter().copied().find(|value| value.as_str() == word)
                }
            }

            impl Default for $kind {
                fn default() -> Self {
                    Self::ALL[0]
                }
            }
        )*

        /// One value for each named choice; the default is the spec's.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Choices {
            $($(#[$what])* pub $field: $kind,)*
        }

        impl Choices {
            /// Sets the choice `name` to the value `word`; false, and nothing set, when either is unknown.
            pub fn set(&mut self, name: &str, word: &str) -> bool {
                match name {
                    $($kind::NAME => $kind::parse(word).map(|value| self.$field = value).is_some(),)*
                    _ => false,
                }
            }
        }

        /// Every choice with its values, the default first.
        pub const TABLE: &[(&str, &[&str])] = &[$(($name, &[$($word,)+]),)*];
    };
}

choices! {
    /// Whether a seal's `iat` may refuse (SEAL-4).
    seal_iat_window: SealIatWindow = "seal.iat-window" { None "none", Window "window", }
    /// What a seal that has admitted a join gets when it comes again (SEAL-8).
    seal_resend: SealResend = "seal.resend" { StoredAnswer "stored-answer", Refuse "refuse", }
    /// Whether the server compares the request hash in a CSR (BINDING-2).
    request_binding: RequestBinding = "request-binding" { Checked "checked", None "none", }
    /// Whether a client that asked for `node` takes a certificate of `node-tenant` (RESPONSE-4).
    client_node_tenant: NodeTenant = "client.node-tenant" { Accept "accept", Refuse "refuse", }
    /// Which surviving identifiers a hardware key is made of (HARDWARE-KEY-2).
    hwkey_selection: HwkeySelection = "hwkey.selection" { Stable "stable", All "all", }
    /// Whether an identifier computed from another counts by itself (HARDWARE-KEY-1).
    hwkey_independence: HwkeyIndependence = "hwkey.independence" { Kinds "kinds", Facts "facts", }
    /// Which evidence reclaims a node whose key a TPM certified (RECLAIM-5).
    reclaim_tpm_bound: ReclaimTpmBound = "reclaim.tpm-bound" { SameTpm "same-tpm", Any "any", }
    /// What a machine gets whose node is retired (RECLAIM-4).
    reclaim_retired: ReclaimRetired = "reclaim.retired" { NewNode "new-node", Refuse "refuse", }
    /// Whether a decision must state what was shown (APPROVAL-3).
    approval_shown: ApprovalShown = "approval.shown" { Optional "optional", Required "required", }
    /// Whose refusals share a minute's budget of events (REFUSAL-4).
    refusal_bucket: RefusalBucket = "refusal.bucket" { Audience "audience", Global "global", }
    /// Whether the answer to a renewal is signed (RENEWAL-6).
    renewal_signed_answer: RenewalSignedAnswer = "renewal.signed-answer" { Yes "yes", No "no", }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the conventions page, read from the page.
    fn page() -> Vec<(String, Vec<String>)> {
        let page = include_str!("../../../docs/spec/00-conventions.md");
        let (_, table) = page.split_once("| name | values | rule |").unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].to_owned(), cells[2].split(", ").map(str::to_owned).collect())
        })
        .collect()
    }

    #[test]
    fn names_values_and_defaults_are_those_of_the_conventions_page() {
        let ours: Vec<(String, Vec<String>)> = TABLE
            .iter()
            .map(|(name, values)| ((*name).to_owned(), values.iter().map(|&v| v.to_owned()).collect()))
            .collect();
        assert_eq!(ours, page());
    }

    #[test]
    fn a_choice_is_set_by_its_words_alone() {
        let mut choices = Choices::default();
        assert_eq!(choices.hwkey_independence, HwkeyIndependence::Kinds);
        assert!(choices.set("hwkey.independence", "facts"));
        assert_eq!(choices.hwkey_independence, HwkeyIndependence::Facts);
        let before = choices;
        for (name, word) in [("hwkey.independence", "Facts"), ("hwkey", "facts"), ("seal.resend", "yes")] {
            assert!(!choices.set(name, word), "{name} {word}");
        }
        assert_eq!(choices, before);
    }
}

//! The truth table and the example of the page, and every combination against the page's words.

use CertificateRole::{Node, NodeTenant};

use super::*;

fn pool(owner: &str, platform_operated: bool) -> Pool {
    Pool {
        id: "pool_p".into(),
        site_id: "site_s".into(),
        owner_tenant: owner.into(),
        agent: "bcd".into(),
        acceptance_checks: false,
        join_attestors: None,
        requires_request_binding: false,
        platform_operated,
    }
}

fn site(owner: &str, custom: bool) -> Site {
    Site { id: "site_s".into(), owner_tenant: owner.into(), custom }
}

#[test]
fn the_example_of_the_page() {
    let site = site("R", false);
    let (p1, p2) = (pool("R", true), pool("T", true));
    let [p1, p2] = [&p1, &p2].map(|pool| Ownership { pool, site: Some(&site), root_tenant: Some("R") });
    assert_eq!(p1.certificate_role(Role::Node, true, None), Node);
    assert_eq!(p2.certificate_role(Role::Node, true, None), NodeTenant);
    assert_eq!(p2.certificate_role(Role::Node, false, None), Node);
    assert_eq!(p2.certificate_role(Role::Node, true, Some(Node)), NodeTenant);
    assert_eq!(p2.certificate_role(Role::Node, false, Some(NodeTenant)), NodeTenant);
    assert!(!p1.is_tenant_owned() && !p2.is_tenant_owned());
}

#[test]
fn the_platform_owns_a_pool_when_all_three_hold() {
    for (pool_owner, site_owner, custom, root, platform, tenant) in [
        ("R", "R", false, Some("R"), true, false),
        ("R", "R", true, Some("R"), false, true),
        ("T", "T", false, Some("R"), false, true),
        ("T", "R", false, Some("R"), false, false),
        ("T", "T", false, None, true, false),
        ("T", "T", true, None, false, true),
        ("T", "R", false, None, false, false),
    ] {
        let (pool, site) = (pool(pool_owner, false), site(site_owner, custom));
        let ownership = Ownership { pool: &pool, site: Some(&site), root_tenant: root };
        assert_eq!(ownership.is_platform_owned(), platform, "{pool_owner} {site_owner} {custom} {root:?}");
        assert_eq!(ownership.is_tenant_owned(), tenant, "{pool_owner} {site_owner} {custom} {root:?}");
    }
    let pool = pool("R", true);
    let nowhere = Ownership { pool: &pool, site: None, root_tenant: None };
    assert!(!nowhere.is_platform_owned() && !nowhere.is_tenant_owned());
}

#[test]
fn every_line_of_the_layouts_table() {
    let any = [false, true];
    let befores = [None, Some(Node), Some(NodeTenant)];
    for (hosted, before, platform_owned, operated) in any
        .into_iter()
        .flat_map(|hosted| befores.map(|before| (hosted, before)))
        .flat_map(|(hosted, before)| any.map(|owned| (hosted, before, owned)))
        .flat_map(|(hosted, before, owned)| any.map(|operated| (hosted, before, owned, operated)))
    {
        let expected = match (hosted, before, platform_owned, operated) {
            (true, _, true, true) => Node,
            (true, ..) => NodeTenant,
            (false, None | Some(Node), ..) => Node,
            (false, _, true, _) => Node,
            (false, _, false, _) => NodeTenant,
        };
        let (pool, site) = (pool("R", operated), site("R", !platform_owned));
        let ownership = Ownership { pool: &pool, site: Some(&site), root_tenant: Some("R") };
        let role = ownership.certificate_role(Role::Node, hosted, before);
        assert_eq!(role, expected, "{hosted} {before:?} {platform_owned} {operated}");
    }
}

#[test]
fn sites_and_ramdisks_keep_their_role() {
    let (pool, site) = (pool("T", false), site("R", false));
    let ownership = Ownership { pool: &pool, site: Some(&site), root_tenant: Some("R") };
    assert_eq!(ownership.certificate_role(Role::Site, true, None), CertificateRole::Site);
    let ramdisk = ownership.certificate_role(Role::Ramdisk, true, Some(CertificateRole::Ramdisk));
    assert_eq!(ramdisk, CertificateRole::Ramdisk);
}

//! Identity: which join gets which node, what a certificate gets (RECLAIM, HOSTED, TPM, RENEWAL, X509POP).
//!
//! Two machines, each with a TPM and with identifiers that give a trusted hardware key. Machine 1 is honest;
//! machine 2 states its own identifiers or those of machine 1. Pool p belongs to a tenant, pool q to the
//! platform; both say platformOperated. Every call is one transaction. A certificate is valid in the time
//! unit of its issue, in grace for one unit, then over.

use crate::types::Rules;

mod claims;
mod steps;

/// A machine, its TPM, or its identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Machine {
    /// The honest one.
    One,
    /// The one that may lie.
    Two,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pool {
    P,
    Q,
}

/// A token. Uses, expiry and pins are not of this model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    pool: Pool,
    reclaim: bool,
    hosted: bool,
}

const TOKENS: [Token; 4] = [
    Token { pool: Pool::P, reclaim: false, hosted: false },
    Token { pool: Pool::P, reclaim: true, hosted: false },
    Token { pool: Pool::P, reclaim: true, hosted: true },
    Token { pool: Pool::Q, reclaim: true, hosted: true },
];

/// How a certificate came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Via {
    Token { hosted: bool },
    Tpm,
    Renew,
    Pop,
}

/// What was wrong with the call that issued a certificate, judged beside the rules; the claims say: nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Flaw {
    NotAllowed,
    OtherPool,
    TpmBound,
    OtherEk,
    OtherTenant,
    Dead,
    Expired,
    OutsideGrace,
    Superseded,
}

/// A `node_certs` row, with what only the model knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cert {
    generation: u8,
    issued: u8,
    revoked: bool,
    /// The AK statement.
    ak: Option<Machine>,
    /// The certificate role is `node-tenant`.
    tenant: bool,
    via: Via,
    /// The certificate that was presented, by its place among the node's.
    from: Option<usize>,
    /// The machine that has the key, and whether the key is inside its TPM.
    holder: Machine,
    inside: bool,
    flaw: Option<Flaw>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    pool: Pool,
    /// The trusted hardware key of its newest claims.
    key: Machine,
    /// The EK recorded with the node.
    ek: Option<Machine>,
    generation: u8,
    retired: bool,
    certs: Vec<Cert>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Store {
    now: u8,
    nodes: Vec<Node>,
    /// Pool p has another owner than when its tokens were minted. Only token joins are looked at then.
    sold: bool,
    /// Certificates that an operator revoked.
    revocations: u8,
}

/// The store; or that a call was refused, which changes nothing and leads nowhere new.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(Result<Store, Reason>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reason {
    Reclaim,
    PoolTenant,
    CertRevoked,
    CertExpired,
    CertNotExpired,
    Grace,
    Generation,
    NodeRetired,
    PopSuperseded,
    KeyAttestation,
}

/// The model under its rules.
#[derive(Clone, Debug)]
pub struct Identity {
    rules: Rules,
}

impl Identity {
    fn token_join(&self, store: &mut Store, token: Token, by: Machine, key: Machine) -> Result<(), Reason> {
        let rules = &self.rules;
        // RECLAIM-1: over all live nodes of the deployment; retired ones do not count (RECLAIM-4, new-node).
        let found = store.by_key(key).filter(|_| rules.reclaim_1);
        let mut flaw = (token.pool == Pool::P && store.sold).then_some(Flaw::OtherTenant);
        let mut lowered = false;
        if let Some(node) = found.map(|at| &store.nodes[at]) {
            let (same, bound) = (node.pool == token.pool, node.is_tpm_bound());
            // RECLAIM-2, RECLAIM-5
            let refused = (rules.reclaim_2 && !token.reclaim) || (rules.reclaim_2_same && !same);
            if refused || (rules.reclaim_5 && bound) {
                return Err(Reason::Reclaim);
            }
            let wrong =
                [(!token.reclaim, Flaw::NotAllowed), (!same, Flaw::OtherPool), (bound, Flaw::TpmBound)];
            flaw = wrong.iter().find(|(is_wrong, _)| *is_wrong).map(|(_, flaw)| *flaw).or(flaw);
            lowered = node.newest().tenant;
        }
        // DESTINATION-2
        if rules.destination_2 && token.pool == Pool::P && store.sold {
            return Err(Reason::PoolTenant);
        }
        let pool = found.map_or(token.pool, |at| store.nodes[at].pool);
        let tenant = self.tenant_role(pool, token.hosted, lowered);
        let cert =
            Cert { via: Via::Token { hosted: token.hosted }, holder: by, tenant, flaw, ..store.blank(by) };
        self.admit(store, found, &Node { pool, key, ..Node::blank(key) }, cert);
        Ok(())
    }

    /// Whether the certificate role is node-tenant. Both pools say platformOperated; the platform owns q.
    fn tenant_role(&self, pool: Pool, hosted: bool, lowered: bool) -> bool {
        let owned = pool == Pool::Q;
        // HOSTED-1, HOSTED-2
        if hosted { self.rules.hosted_1 && !owned } else { self.rules.hosted_2 && lowered && !owned }
    }

    fn tpm_join(&self, store: &mut Store, by: Machine, key: Machine) -> Result<(), Reason> {
        let rules = &self.rules;
        // TPM-4: found by the EK, never by claims.
        let own = store.by_ek(by);
        let mut found = own.filter(|_| rules.tpm_4_ek);
        if !rules.tpm_4 && found.is_none() {
            found = store.by_key(key);
        }
        let pool = Pool::P;
        if found.is_some_and(|at| store.nodes[at].pool != pool) {
            return Err(Reason::Reclaim);
        }
        // TPM-4: the claims' trusted key belongs to another live node.
        if rules.tpm_4_claims && store.by_key(key).is_some_and(|at| found != Some(at)) {
            return Err(Reason::Reclaim);
        }
        let flaw = found.filter(|_| found != own).map(|_| Flaw::OtherEk);
        let lowered = found.is_some_and(|at| store.nodes[at].newest().tenant);
        let tenant = self.tenant_role(pool, false, lowered);
        let cert = Cert { via: Via::Tpm, ak: Some(by), inside: true, tenant, flaw, ..store.blank(by) };
        self.admit(store, found, &Node { pool, ek: Some(by), ..Node::blank(key) }, cert);
        Ok(())
    }

    /// A new node, or a take-over (RECLAIM-3): one generation more, and every older certificate revoked.
    fn admit(&self, store: &mut Store, found: Option<usize>, new: &Node, cert: Cert) {
        let Some(at) = found else {
            store.nodes.push(Node { certs: vec![cert], ..new.clone() });
            return;
        };
        let node = &mut store.nodes[at];
        (node.key, node.ek) = (new.key, new.ek.or(node.ek));
        self.take_over(node, cert);
    }

    fn take_over(&self, node: &mut Node, cert: Cert) {
        node.generation += 1;
        if self.rules.reclaim_3 {
            node.certs.iter_mut().for_each(|old| old.revoked = true);
        }
        node.certs.push(Cert { generation: node.generation, ..cert });
    }

    /// RENEWAL-5, without what proofs and clocks add.
    fn renew(&self, store: &mut Store, at: usize, with: usize, inside: bool) -> Result<(), Reason> {
        let (rules, now, node) = (&self.rules, store.now, &mut store.nodes[at]);
        let old = &node.certs[with];
        let (expired, older) = (now > old.issued, old.generation != node.generation);
        match () {
            () if rules.renewal_2 && old.revoked => return Err(Reason::CertRevoked),
            () if rules.renewal_2_expired && expired => return Err(Reason::CertExpired),
            () if older => return Err(Reason::Generation),
            () if node.retired => return Err(Reason::NodeRetired),
            () if rules.renewal_2_attestation && old.ak.is_some() && !inside => {
                return Err(Reason::KeyAttestation);
            }
            () => {}
        }
        let dead = (old.revoked || older || node.retired).then_some(Flaw::Dead);
        let flaw = dead.or_else(|| expired.then_some(Flaw::Expired));
        // RENEWAL-4
        let ak = old.ak.filter(|_| rules.renewal_4);
        let cert = Cert { issued: now, ak, via: Via::Renew, from: Some(with), inside, flaw, ..*old };
        node.certs.push(cert);
        Ok(())
    }

    /// X509POP-5, without what proofs and clocks add.
    fn pop(&self, store: &mut Store, at: usize, with: usize, inside: bool) -> Result<(), Reason> {
        let (rules, now, node) = (&self.rules, store.now, &mut store.nodes[at]);
        let old = &node.certs[with];
        let (alive, over, older) =
            (now <= old.issued, now > old.issued + 1, old.generation != node.generation);
        // X509POP-2: the newest by the order of the rows.
        let superseded = with + 1 != node.certs.len();
        match () {
            () if rules.renewal_2 && old.revoked => return Err(Reason::CertRevoked),
            () if rules.x509pop_1_expired && alive => return Err(Reason::CertNotExpired),
            () if rules.x509pop_1 && over => return Err(Reason::Grace),
            () if older => return Err(Reason::Generation),
            () if node.retired => return Err(Reason::NodeRetired),
            () if rules.x509pop_2 && superseded => return Err(Reason::PopSuperseded),
            () if rules.x509pop_3 && old.ak.is_some() && !inside => return Err(Reason::KeyAttestation),
            () => {}
        }
        let dead = (old.revoked || older || node.retired).then_some(Flaw::Dead);
        let outside = dead.or_else(|| (alive || over).then_some(Flaw::OutsideGrace));
        let flaw = outside.or_else(|| superseded.then_some(Flaw::Superseded));
        let cert = Cert { issued: now, via: Via::Pop, from: Some(with), inside, flaw, ..*old };
        self.take_over(node, cert);
        Ok(())
    }

    fn retire(&self, node: &mut Node) {
        node.retired = true;
        // RECLAIM-4
        if self.rules.reclaim_4 {
            node.certs.iter_mut().for_each(|cert| cert.revoked = true);
        }
    }
}

impl Node {
    const fn blank(key: Machine) -> Self {
        Self { pool: Pool::P, key, ek: None, generation: 1, retired: false, certs: Vec::new() }
    }

    fn newest(&self) -> &Cert {
        &self.certs[self.certs.len() - 1]
    }

    /// RECLAIM-5: the newest certificate names an AK.
    fn is_tpm_bound(&self) -> bool {
        self.newest().ak.is_some()
    }
}

impl Store {
    fn by_key(&self, key: Machine) -> Option<usize> {
        self.nodes.iter().position(|node| !node.retired && node.key == key)
    }

    fn by_ek(&self, ek: Machine) -> Option<usize> {
        self.nodes.iter().position(|node| !node.retired && node.ek == Some(ek))
    }

    const fn blank(&self, holder: Machine) -> Cert {
        let (generation, issued) = (1, self.now);
        let (revoked, ak, tenant, via, from) = (false, None, false, Via::Tpm, None);
        Cert { generation, issued, revoked, ak, tenant, via, from, holder, inside: false, flaw: None }
    }
}

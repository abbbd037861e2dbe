use model::types::*;
fn run<M: Explained>(flags: &[Flag]) {
    let t = std::time::Instant::now();
    let r = explore(M::new(Rules::ALL));
    println!("{r:#?} {:?}", t.elapsed());
    for s in &r.failed {
        println!("{s} {:#?}", trace(M::new(Rules::ALL), s));
    }
    let t0 = std::time::Instant::now();
    let cl = M::claims();
    for f in flags {
        let want: Vec<_> = cl
            .iter()
            .filter(|c| c.rules.contains(&f.name) || c.kind == Kind::Fails)
            .map(|c| c.sentence)
            .collect();
        let t = std::time::Instant::now();
        let r = explore(M::new(Rules::without(f.name).unwrap()));
        println!("{} {} {} {:?}", if want == r.failed { "ok" } else { "BAD" }, f.name, r.states, t.elapsed());
        if true {
            println!("   {:?}", r.failed)
        }
    }
    println!("{:?}", t0.elapsed());
}
fn main() {
    match &*std::env::args().nth(1).unwrap() {
        "a" => run::<model::admission::Admission>(&FLAGS[..16]),
        "i" => run::<model::identity::Identity>(&FLAGS[16..36]),
        _ => {}
    }
}

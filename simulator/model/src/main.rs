use model::{admission::Admission as M,types::*};
fn main(){ let t=std::time::Instant::now(); let r=explore(M::new(Rules::ALL)); println!("{r:#?} {:?}",t.elapsed());
for s in &r.failed { println!("{:#?}", trace(M::new(Rules::ALL), s)); }
let t=std::time::Instant::now(); let mut m=M::new(Rules::ALL);m.required=true;let r=explore(m); println!("{r:#?} {:?}",t.elapsed());
let T=std::time::Instant::now();
for f in FLAGS.iter().take(16){let t=std::time::Instant::now(); let r=explore(M::new(Rules::without(f.name).unwrap())); println!("{} {} {:?} {:?}",f.name,r.states,r.failed.iter().map(|s|&s[..30]).collect::<Vec<_>>(),t.elapsed());}
println!("{:?}",T.elapsed());}

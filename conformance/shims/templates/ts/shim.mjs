// The shim: puts your implementation before the judge. Start here; README.md tells how to run it.

import { createHash } from "node:crypto";

import { Reject, serve } from "./jc.mjs";

// What the judge is told. Say what your implementation does, not what it will do.
const DECLARATION = {
  // Yours in place of these: reports name it.
  impl: { name: "skeleton", version: "0.0.0", lang: "typescript", url: "" },
  roles: ["server"], // "client" too, once ops of that role are here
  features: {},
  choices: {}, // each named choice of the spec that you implement, to its value
  clock: "injected", // ops take the time from `call.now`
  categories: "exact", // reasons are the spec's own words
  parallel: 1,
  world: false,
};

/**
 * PLUG IN: the ops you have. What is not here is answered `unsupported`.
 * @type {import("./jc.mjs").Ops}
 */
const OPS = new Map([["token.parse", { members: ["token"], run: tokenParse }]]);

/**
 * `token.parse`: `in` {token}, `out` {id, secretSha256}.
 * @param {import("./jc.mjs").Call} call
 */
function tokenParse(call) {
  const parsed = parseToken(call.octets("token"));
  if (!parsed) throw new Reject("token-malformed");
  // TOKEN-3: the hash is over the octets of the secret, not over its characters.
  const hash = createHash("sha256").update(parsed.secret);
  return { id: parsed.id, secretSha256: hash.digest("base64url") };
}

// PLUG IN: this is the example. Replace it by a call of your own parser.
const TOKEN = /^bcjt_(jt_[0-7][0-9a-hjkmnp-tv-z]{25})\.([A-Za-z0-9_-]{43})$/;

/**
 * The id and the 32 octets of the secret (TOKEN-1, TOKEN-2), or undefined.
 * @param {Buffer} octets
 */
function parseToken(octets) {
  // latin1 keeps every octet a character of its own: what is not ASCII cannot match.
  const found = TOKEN.exec(octets.toString("latin1"));
  const [, id = "", spelled = ""] = found ?? [];
  const secret = Buffer.from(spelled, "base64url");
  // The two unused bits of the last character must be zero: one secret, one spelling.
  return found && secret.toString("base64url") === spelled
    ? { id, secret }
    : undefined;
}

if (process.argv.length > 2) {
  console.error(
    "this shim takes no arguments: it reads calls from standard input",
  );
  process.exit(2);
}
await serve(DECLARATION, OPS);

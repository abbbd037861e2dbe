// A peer on npm's jose: one JSON request a line in, one JSON answer a line out.
// {"do": "seal", "token", "csr", "iat", "jwk"} -> {"seal"};  {"do": "open", "seal", "jwk"} -> {"token", "header"}

import { createInterface } from "node:readline";
import { CompactEncrypt, compactDecrypt, importJWK } from "jose";

const alg = "ECDH-ES+A256KW";
const enc = "A256GCM";

async function seal({ token, csr, iat, jwk }) {
  const key = await importJWK(jwk, alg);
  const sealed = new CompactEncrypt(new TextEncoder().encode(token));
  return { seal: await sealed.setProtectedHeader({ alg, enc, typ: "bcjt+jwe", iat, csr }).encrypt(key) };
}

async function open({ seal, jwk }) {
  const { plaintext, protectedHeader } = await compactDecrypt(seal, await importJWK(jwk, alg));
  return { token: new TextDecoder().decode(plaintext), header: protectedHeader };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify(await { seal, open }[request.do](request)));
}

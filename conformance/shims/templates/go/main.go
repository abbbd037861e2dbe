// The shim: puts your implementation before the judge. Start here; README.md tells how to run it.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"log"
	"os"
	"regexp"
)

// What the judge is told. Say what your implementation does, not what it will do.
var declaration = Answer{
	// Yours in place of these: reports name it.
	"impl":       Answer{"name": "skeleton", "version": "0.0.0", "lang": "go", "url": ""},
	"roles":      []string{"server"}, // "client" too, once ops of that role are here
	"features":   Answer{},
	"choices":    Answer{},   // each named choice of the spec that you implement, to its value
	"clock":      "injected", // ops take the time from Call.Now
	"categories": "exact",    // reasons are the spec's own words
	"parallel":   1,
	"world":      false,
}

// PLUG IN: the ops you have. What is not here is answered unsupported.
var ops = map[string]Op{
	"token.parse": {Members: []string{"token"}, Run: tokenParse},
}

// tokenParse is `token.parse`: `in` {token}, `out` {id, secretSha256}.
func tokenParse(call Call) (any, error) {
	text, err := call.Octets("token")
	if err != nil {
		return nil, err
	}
	id, secret, good := parseToken(text)
	if !good {
		return nil, Reject{Cat: "token-malformed"}
	}
	// TOKEN-3: the hash is over the octets of the secret, not over its characters.
	hash := sha256.Sum256(secret)
	return Answer{"id": id, "secretSha256": b64u(hash[:])}, nil
}

// PLUG IN: this is the example. Replace it by a call of your own parser.
var token = regexp.MustCompile(`\Abcjt_(jt_[0-7][0-9a-hjkmnp-tv-z]{25})\.([A-Za-z0-9_-]{43})\z`)

// parseToken gives the id and the 32 octets of the secret (TOKEN-1, TOKEN-2).
func parseToken(text []byte) (id string, secret []byte, good bool) {
	found := token.FindSubmatch(text)
	if found == nil {
		return "", nil, false
	}
	// Strict: the two unused bits of the last character must be zero. One secret, one spelling.
	secret, err := base64.RawURLEncoding.Strict().DecodeString(string(found[2]))
	return string(found[1]), secret, err == nil
}

func main() {
	log.SetPrefix("shim: ")
	log.SetFlags(0)
	if len(os.Args) > 1 {
		log.Fatal("this shim takes no arguments: it reads calls from standard input")
	}
	if err := serve(declaration, ops); err != nil {
		log.Fatal(err)
	}
}

// The framing of the shim contract jc/1: one JSON object a line in, one a line out.
// Nothing here changes when ops are added; they are plugged in in main.go.

package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"sort"
	"unicode/utf8"
)

const protocol = 1

var (
	helloMembers = []string{"jc", "id", "m", "protocol", "suite", "vectors", "ops", "critical"}
	callMembers  = []string{"jc", "id", "m", "op", "now", "in", "limit_ms", "choices", "critical"}
)

// Reject says that the implementation looked at the input and refused it.
type Reject struct {
	Cat    string // a reason of the spec
	Detail string
}

func (r Reject) Error() string { return r.Cat + " " + r.Detail }

// BadCall says that a call lacks a member or has one of the wrong type: error, never reject.
type BadCall string

func (b BadCall) Error() string { return string(b) }

// Unsupported says that this shim cannot do what the call asks for.
type Unsupported string

func (u Unsupported) Error() string { return string(u) }

// Object is a JSON object whose members are not looked at yet. It is read as a map and never
// into a struct: a struct would take members whose names differ in case.
type Object map[string]json.RawMessage

// read reads a member that must be there; null is of no type.
func (o Object) read(name string, into any) error {
	raw, there := o[name]
	if !there || string(raw) == "null" || json.Unmarshal(raw, into) != nil {
		return BadCall(name + ": missing, or of the wrong type")
	}
	return nil
}

// readOptional reads a member that may be missing.
func (o Object) readOptional(name string, into any) error {
	if _, there := o[name]; !there {
		return nil
	}
	return o.read(name, into)
}

// Call is what a call says.
type Call struct {
	Now     string            // the call's clock, RFC 3339
	Choices map[string]string // the named choices that the call fixes
	In      Object
}

// Text is a member of the call's input that is a text.
func (c Call) Text(name string) (string, error) {
	var text string
	err := c.In.read(name, &text)
	return text, err
}

// Octets is a member of the call's input that is octets: canonical base64url without padding.
func (c Call) Octets(name string) ([]byte, error) {
	text, err := c.Text(name)
	if err != nil {
		return nil, err
	}
	octets, err := base64.RawURLEncoding.DecodeString(text)
	// The decoder passes over line ends and unused bits; spelling it again shows them.
	if err != nil || b64u(octets) != text {
		return nil, BadCall(name + ": not base64url")
	}
	return octets, nil
}

// b64u is octets as the contract writes them.
func b64u(octets []byte) string { return base64.RawURLEncoding.EncodeToString(octets) }

// Op is one op: the members of its input, and the function that makes `out` of a call.
type Op struct {
	Members []string
	Run     func(Call) (any, error)
}

// Answer is what is written for a message.
type Answer map[string]any

// checkCritical: unknown members are ignored, but for those that the message calls critical.
func checkCritical(message Object, known ...[]string) error {
	var critical []string
	if err := message.readOptional("critical", &critical); err != nil {
		return err
	}
	for _, name := range critical {
		if !contains(name, known) {
			return Unsupported("critical: " + name)
		}
	}
	return nil
}

func contains(wanted string, lists [][]string) bool {
	for _, list := range lists {
		for _, one := range list {
			if one == wanted {
				return true
			}
		}
	}
	return false
}

// hello says who this is and what it can.
func hello(message Object, declaration Answer, ops map[string]Op) (Answer, error) {
	var versions Object
	if err := message.read("protocol", &versions); err != nil {
		return nil, err
	}
	var least, most int64
	if err := versions.read("min", &least); err != nil {
		return nil, err
	}
	if err := versions.read("max", &most); err != nil {
		return nil, err
	}
	if protocol < least || protocol > most {
		return nil, Unsupported(fmt.Sprintf("this shim speaks version %d", protocol))
	}
	if err := checkCritical(message, helloMembers); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(ops))
	for name := range ops {
		names = append(names, name)
	}
	sort.Strings(names)
	answer := Answer{"r": "accept", "protocol": protocol, "ops": names}
	for name, value := range declaration {
		answer[name] = value
	}
	return answer, nil
}

// call answers a call.
func call(message Object, ops map[string]Op) (answer Answer, err error) {
	var name string
	if err := message.read("op", &name); err != nil {
		return nil, err
	}
	op, known := ops[name]
	if !known {
		return nil, Unsupported("op: " + name)
	}
	if err := checkCritical(message, callMembers, op.Members); err != nil {
		return nil, err
	}
	var c Call
	if err := message.read("now", &c.Now); err != nil {
		return nil, err
	}
	if err := message.readOptional("choices", &c.Choices); err != nil {
		return nil, err
	}
	if err := message.read("in", &c.In); err != nil {
		return nil, err
	}
	// A bug of one op is said loudly, but it is no verdict and no crash.
	defer func() {
		if bug := recover(); bug != nil {
			log.Printf("bug: %v\n%s", bug, debug.Stack())
			err = fmt.Errorf("bug: %v", bug)
		}
	}()
	out, err := op.Run(c)
	if err != nil {
		return nil, err
	}
	return Answer{"r": "accept", "out": out}, nil
}

// result is the answer to a message, whatever happens on the way.
func result(message Object, declaration Answer, ops map[string]Op) Answer {
	var kind string
	var answer Answer
	err := message.read("m", &kind)
	if err == nil {
		switch kind {
		case "hello":
			answer, err = hello(message, declaration, ops)
		case "call":
			answer, err = call(message, ops)
		default:
			err = Unsupported("m: " + kind)
		}
	}
	var reject Reject
	var unsupported Unsupported
	switch {
	case err == nil:
		return answer
	case errors.As(err, &reject):
		return Answer{"r": "reject", "cat": reject.Cat, "detail": reject.Detail}
	case errors.As(err, &unsupported):
		return Answer{"r": "unsupported", "detail": err.Error()}
	default:
		return Answer{"r": "error", "detail": err.Error()}
	}
}

// parse is the message of a line, or nil where it is none.
func parse(line []byte) Object {
	var message Object
	if !utf8.Valid(line) || json.Unmarshal(line, &message) != nil {
		return nil
	}
	if _, there := message["jc"]; !there {
		return nil
	}
	return message
}

// encode is the line of an answer.
func encode(id uint64, answer Answer) []byte {
	answer["jc"], answer["id"] = protocol, id
	line, err := json.Marshal(answer)
	if err != nil { // `out` holds what JSON cannot say
		return encode(id, Answer{"r": "error", "detail": "bug: " + err.Error()})
	}
	return append(line, '\n')
}

// serve answers until bye or the end of standard input.
func serve(declaration Answer, ops map[string]Op) error {
	// Answers keep the real standard output; whatever else is printed goes to standard error.
	answers := os.Stdout
	os.Stdout = os.Stderr
	// A Reader, not a Scanner: lines may be as long as 1 MiB.
	input := bufio.NewReader(os.Stdin)
	for {
		line, end := input.ReadBytes('\n')
		if end != nil && end != io.EOF {
			return end
		}
		if len(line) > 0 {
			message := parse(line)
			var id uint64
			switch {
			case message == nil:
				log.Print("a line that is no message is passed over")
			case string(message["m"]) == `"bye"`:
				return nil
			case message.read("id", &id) != nil:
				log.Print("a message without a number in `id` is passed over")
			default:
				if _, err := answers.Write(encode(id, result(message, declaration, ops))); err != nil {
					return err
				}
			}
		}
		if end == io.EOF {
			return nil
		}
	}
}

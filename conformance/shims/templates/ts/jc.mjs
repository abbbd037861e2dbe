// The framing of the shim contract jc/1: one JSON object a line in, one a line out.
// Nothing here changes when ops are added; they are plugged in in shim.mjs.

import { Console } from "node:console";

const PROTOCOL = 1;
const HELLO_MEMBERS = [
  "jc",
  "id",
  "m",
  "protocol",
  "suite",
  "vectors",
  "ops",
  "critical",
];
const CALL_MEMBERS = [
  "jc",
  "id",
  "m",
  "op",
  "now",
  "in",
  "limit_ms",
  "choices",
  "critical",
];

/**
 * A JSON object whose members are not looked at yet.
 * @typedef {Record<string, unknown>} Json
 */

/**
 * An op: the members of its `in`, and the function that makes `out` of a call.
 * @typedef {{ members: string[], run: (call: Call) => Json | Promise<Json> }} Op
 */

/**
 * The ops by name: a Map, because an object has members that nobody declared.
 * @typedef {Map<string, Op>} Ops
 */

/** The implementation looked at the input and refused it, for a reason of the spec. */
export class Reject extends Error {
  /**
   * @param {string} cat
   * @param {string} [detail]
   */
  constructor(cat, detail = "") {
    super(detail);
    this.cat = cat;
  }
}

/** The call lacks a member, or one is of the wrong type: `error`, never `reject`. */
export class BadCall extends Error {}

/** This shim cannot do what the call asks for. */
export class Unsupported extends Error {}

/** What a call says: its clock (RFC 3339), the choices that it fixes, and its `in`. */
export class Call {
  /**
   * @param {string} now
   * @param {Json} choices
   * @param {Json} given
   */
  constructor(now, choices, given) {
    this.now = now;
    this.choices = choices;
    this.given = given;
  }

  /**
   * A member of `in` that is a text.
   * @param {string} name
   */
  text(name) {
    return text(this.given, name);
  }

  /**
   * A member of `in` that is octets: canonical base64url without padding.
   * @param {string} name
   */
  octets(name) {
    const spelled = this.text(name);
    // The decoder passes over what is not of the alphabet; spelling it again shows it.
    const octets = Buffer.from(spelled, "base64url");
    if (octets.toString("base64url") !== spelled)
      throw new BadCall(`${name}: not base64url`);
    return octets;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Json}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {Json} from
 * @param {string} name
 */
function text(from, name) {
  const value = from[name];
  if (typeof value !== "string")
    throw new BadCall(`${name}: missing, or no text`);
  return value;
}

/**
 * @param {Json} from
 * @param {string} name
 */
function object(from, name) {
  const value = from[name];
  if (!isObject(value)) throw new BadCall(`${name}: missing, or no object`);
  return value;
}

/**
 * @param {Json} from
 * @param {string} name
 */
function integer(from, name) {
  const value = from[name];
  if (typeof value !== "number" || !Number.isInteger(value))
    throw new BadCall(`${name}: missing, or no integer`);
  return value;
}

/**
 * Unknown members are ignored, but for those that the message calls critical.
 * @param {Json} message
 * @param {string[]} known
 */
function checkCritical(message, known) {
  const critical = "critical" in message ? message.critical : [];
  if (!Array.isArray(critical)) throw new BadCall("critical: no list");
  for (const name of critical) {
    if (!known.includes(name))
      throw new Unsupported(`critical: ${JSON.stringify(name)}`);
  }
}

/**
 * Who this is and what it can.
 * @param {Json} message
 * @param {Json} declaration
 * @param {Ops} ops
 */
function hello(message, declaration, ops) {
  const versions = object(message, "protocol");
  if (
    integer(versions, "min") > PROTOCOL ||
    integer(versions, "max") < PROTOCOL
  ) {
    throw new Unsupported(`this shim speaks version ${PROTOCOL}`);
  }
  checkCritical(message, HELLO_MEMBERS);
  return {
    r: "accept",
    protocol: PROTOCOL,
    ops: [...ops.keys()],
    ...declaration,
  };
}

/**
 * The answer to a call, where it is accepted.
 * @param {Json} message
 * @param {Ops} ops
 */
async function answer(message, ops) {
  const name = text(message, "op");
  const op = ops.get(name);
  if (!op) throw new Unsupported(`op: ${JSON.stringify(name)}`);
  checkCritical(message, [...CALL_MEMBERS, ...op.members]);
  const choices = "choices" in message ? object(message, "choices") : {};
  const call = new Call(text(message, "now"), choices, object(message, "in"));
  return { r: "accept", out: await op.run(call) };
}

/**
 * The answer to a message, whatever happens on the way.
 * @param {Json} message
 * @param {Json} declaration
 * @param {Ops} ops
 * @returns {Promise<Json>}
 */
async function result(message, declaration, ops) {
  try {
    if (message.m === "hello") return hello(message, declaration, ops);
    if (message.m === "call") return await answer(message, ops);
    throw new Unsupported(`m: ${JSON.stringify(message.m)}`);
  } catch (what) {
    if (what instanceof Reject)
      return { r: "reject", cat: what.cat, detail: what.message };
    if (what instanceof Unsupported)
      return { r: "unsupported", detail: what.message };
    if (what instanceof BadCall) return { r: "error", detail: what.message };
    // A bug is said loudly, but it is no verdict and no crash.
    console.error(what);
    return { r: "error", detail: `bug: ${what}` };
  }
}

/**
 * The message of a line, or undefined where it is none.
 * @param {Buffer} line
 * @returns {Json | undefined}
 */
function read(line) {
  try {
    const message = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line),
    );
    return isObject(message) && "jc" in message ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The lines of standard input. They end with LF alone: node:readline would also cut
 * at U+2028, which JSON may hold.
 */
async function* lines() {
  let rest = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
  }
  if (rest.length > 0) yield rest;
}

/**
 * Answers until bye or the end of standard input.
 * @param {Json} declaration
 * @param {Ops} ops
 */
export async function serve(declaration, ops) {
  // Standard output is for answers; whatever else is printed goes to standard error.
  globalThis.console = new Console(process.stderr, process.stderr);
  for await (const line of lines()) {
    const message = read(line);
    if (!message) {
      console.error("shim: a line that is no message is passed over");
      continue;
    }
    if (message.m === "bye") return;
    const id = message.id;
    if (typeof id !== "number" || !Number.isInteger(id) || id < 0) {
      console.error("shim: a message without a number in `id` is passed over");
      continue;
    }
    const said = await result(message, declaration, ops);
    process.stdout.write(`${encode({ jc: PROTOCOL, id }, said)}\n`);
  }
}

/**
 * The line of an answer.
 * @param {Json} head
 * @param {Json} said
 */
function encode(head, said) {
  try {
    return JSON.stringify({ ...head, ...said });
  } catch (bug) {
    // `out` holds what JSON cannot say, as a BigInt.
    return JSON.stringify({ ...head, r: "error", detail: `bug: ${bug}` });
  }
}

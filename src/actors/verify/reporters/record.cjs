'use strict';
// Writes what one test runner reports, a line of JSON for each test, into a file of its own in the folder that the
// environment names. Whatever the runner starts finds no folder there: only the outermost runner reports.
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { randomBytes } = require('node:crypto');

const FOLDER = 'LOOPFOLD_REPORTS';
/** A regular expression for the names of the tests that are to run alone. */
const ONLY = 'LOOPFOLD_ONLY';
/** Of what one failed test says. */
const MAX_MESSAGE_CHARS = 8_000;
/** Of what all failed tests of a runner say: those behind it keep `SHORT_MESSAGE_CHARS`, so that the report is whole. */
const MAX_MESSAGES_CHARS = 2_000_000;
const SHORT_MESSAGE_CHARS = 200;
const MIDDLE = '\n[… the middle is left out …]\n';
/** What this process has taken from its environment; modules of several formats share it. */
const TAKEN = Symbol.for('loopfold.reports');
const SELECTED = Symbol.for('loopfold.only');

/** Takes the folder of reports, and what else is ours, out of the environment. */
function takeEnvironment() {
  globalThis[TAKEN] ??= process.env[FOLDER];
  delete process.env[FOLDER];
  globalThis[SELECTED] ??= process.env[ONLY];
  delete process.env[ONLY];
  process.env.NODE_OPTIONS = withoutOurs(process.env.NODE_OPTIONS ?? '');
  if (process.env.NODE_OPTIONS === '') delete process.env.NODE_OPTIONS;
}

/** The names of the tests that are to run alone, as a pattern. Undefined: all are to run. */
const selected = () => globalThis[SELECTED] ?? process.env[ONLY];

/** Ours are the last, behind the person's own. */
function withoutOurs(options) {
  const ours = options.indexOf(`--require="${__dirname}`);
  return ours < 0 ? options : options.slice(0, ours).trimEnd();
}

/** The beginning and the end of a text. */
function excerpt(text, maxChars) {
  if (text.length <= maxChars) return text;
  const half = Math.floor((maxChars - MIDDLE.length) / 2);
  return text.slice(0, half) + MIDDLE + text.slice(-half);
}

/** Begins a report; null where none is wanted. */
function beginReport(runner) {
  takeEnvironment();
  const folder = globalThis[TAKEN];
  if (!folder) return null;
  const report = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.jsonl`);
  const write = (line) => appendFileSync(report, `${JSON.stringify(line)}\n`);
  let tests = 0;
  let room = MAX_MESSAGES_CHARS;
  const messageOf = (said) => {
    const message = excerpt(String(said), room > 0 ? MAX_MESSAGE_CHARS : SHORT_MESSAGE_CHARS);
    room -= message.length;
    return message;
  };
  write({ runner, directory: process.cwd() });
  return {
    /** `path`: the groups, then the name; empty for the file as a whole. */
    add(file, path, result, message) {
      const why = result === 'failed' && message ? { message: messageOf(message) } : {};
      write({ file: file ?? null, path, result, ...why });
      tests += 1;
    },
    /** Notes a test that has begun, and may not end. */
    start: (file, path) => write({ begun: { file: file ?? null, path } }),
    end: () => write({ tests }),
  };
}

/** Errors by which a test says that something is not as it should be. */
const isAssertion = ({ name, code }) => code === 'ERR_ASSERTION' || /^(?:Jest)?Assert/.test(name ?? '');

/** What an error says, after its name, unless it is an assertion: that a test failed in none has to be seen. */
function saidOf(error) {
  // A test may throw anything.
  const { name = '', message } = Object(error);
  const text = String(message ?? '');
  const isNamed = typeof name !== 'string' || name === '' || text.startsWith(name);
  return isNamed || isAssertion(error) ? text : `${name}: ${text}`;
}

module.exports = { beginReport, saidOf, selected, takeEnvironment, withoutOurs };

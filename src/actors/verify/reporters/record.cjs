'use strict';
// Writes what one test runner reports, a line of JSON for each test, into a file of its own in the folder that the
// environment names. Whatever the runner starts finds no folder there: only the outermost runner reports.
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { randomBytes } = require('node:crypto');

const FOLDER = 'LOOPFOLD_REPORTS';
const MAX_MESSAGE_CHARS = 1_000;
/** What this process has taken from its environment; modules of several formats share it. */
const TAKEN = Symbol.for('loopfold.reports');

/** Takes the folder of reports, and what else is ours, out of the environment. */
function takeEnvironment() {
  globalThis[TAKEN] ??= process.env[FOLDER];
  delete process.env[FOLDER];
  process.env.NODE_OPTIONS = withoutOurs(process.env.NODE_OPTIONS ?? '');
  if (process.env.NODE_OPTIONS === '') delete process.env.NODE_OPTIONS;
}

/** Ours are the last, behind the person's own. */
function withoutOurs(options) {
  const ours = options.indexOf(`--require="${__dirname}`);
  return ours < 0 ? options : options.slice(0, ours).trimEnd();
}

/** Begins a report; null where none is wanted. */
function beginReport(runner) {
  takeEnvironment();
  const folder = globalThis[TAKEN];
  if (!folder) return null;
  const report = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.jsonl`);
  const write = (line) => appendFileSync(report, `${JSON.stringify(line)}\n`);
  let tests = 0;
  write({ runner, directory: process.cwd() });
  return {
    /** `path`: the groups, then the name; empty for the file as a whole. */
    add(file, path, result, message) {
      const why = result === 'failed' && message ? { message: String(message).slice(0, MAX_MESSAGE_CHARS) } : {};
      write({ file: file ?? null, path, result, ...why });
      tests += 1;
    },
    end: () => write({ tests }),
  };
}

module.exports = { beginReport, takeEnvironment, withoutOurs };

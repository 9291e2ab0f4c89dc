'use strict';
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { changeSources, isOfPackage, realPlace } = require('./hooked-modules.cjs');
const { beginReport, saidOf } = require('./record.cjs');

const STATUS = /\/ava\/lib\/run-status\.js$/;
/** Of AVA 4 to 8: the method that is told all that happens. */
const TOLD = /emitStateChange\(event\) \{/;
const NOTED = "globalThis[Symbol.for('loopfold.ava')]?.(event);";

/** Where this process is AVA: is told of each test beside its own reporter. */
function addReporter() {
  if (!Module.registerHooks || !isAva(process.argv[1] ?? '')) return;
  let record = null;
  globalThis[Symbol.for('loopfold.ava')] = (event) => note((record ??= beginReport('ava')), event);
  changeSources(STATUS, (source) => source.replace(TOLD, (told) => `${told} ${NOTED}`));
}

function isAva(entry) {
  const real = realPlace(entry);
  return real !== '' && isOfPackage(join(dirname(real), '../package.json'), 'ava');
}

function note(record, { type, testFile, title, skip, todo, err }) {
  if (!record) return;
  const add = (path, result) => record.add(testFile ?? null, path, result, err && messageOf(err));
  switch (type) {
    case 'selected-test':
      if (skip || todo) add([title], 'skipped');
      break;
    case 'test-passed':
      add([title], 'passed');
      break;
    case 'test-failed':
      add([title], 'failed');
      break;
    case 'hook-failed':
    case 'uncaught-exception':
    case 'unhandled-rejection':
    case 'internal-error':
    case 'worker-failed':
    case 'missing-ava-import':
    case 'process-exit':
    case 'timeout':
      add([], 'failed');
      break;
    case 'end':
      record.end();
  }
}

/** What an assertion of AVA says is in its details. */
const messageOf = (err) => {
  const details = (err.formattedDetails ?? []).map(({ label, formatted }) => `${label}\n${formatted}`);
  return details.length > 0 ? [err.message, ...details].filter((text) => text).join('\n') : saidOf(err);
};

module.exports = { addReporter };

'use strict';
const Module = require('node:module');
const { basename, dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { changeSources, isOfPackage, realPlace } = require('./hooked-modules.cjs');
const { selected } = require('./record.cjs');

const REPORTER = join(__dirname, 'vitest-reporter.mjs');
/** Of vitest 1 to 5: the statement that makes the reporters, those of the configuration or of the command line. */
const MADE = /this\.reporters = [^;\n]*createReporters\([^;\n]*\);/;
const NO_RUN = new Set(['bench', 'init', 'list', 'complete', '--help', '-h', '--version', '-v']);
const NAMED = /^--reporters?(=|$)/;
const PATTERN = /^(?:-t|--testNamePattern)(?:=|$)/;

/** Where this process is vitest: gives it our reporter, beside those that it has. */
function addReporter() {
  const [, entry = '', command = ''] = process.argv;
  if (NO_RUN.has(command) || !isVitest(entry)) return;
  selectTests();
  if (Module.registerHooks) hookReporters();
  else nameReporter();
}

function isVitest(entry) {
  const real = realPlace(entry);
  return /^vitest\.m?js$/.test(basename(real)) && isOfPackage(join(dirname(real), 'package.json'), 'vitest');
}

/** Vitest has no place for one reporter more than the configured ones: it is added where they are made. */
function hookReporters() {
  const maker = Symbol.for('loopfold.vitest');
  globalThis[maker] = async () => new (await import(pathToFileURL(REPORTER))).default();
  const added = `this.reporters.push(await globalThis[Symbol.for('loopfold.vitest')]());`;
  changeSources(/\/vitest\/dist\/.*\.m?js$/, (source) => source.replace(MADE, (made) => `${made} ${added}`));
}

/** A pattern that the person has given stays the only one. */
function selectTests() {
  const only = selected();
  if (only && !process.argv.some((word) => PATTERN.test(word))) addWords([`--testNamePattern=${only}`]);
}

/** Before Node 22.15: reporters of the command line, in place of the configured ones. */
function nameReporter() {
  const words = [
    ...(process.argv.some((word) => NAMED.test(word)) ? [] : ['--reporter=default']),
    `--reporter=${REPORTER}`,
  ];
  addWords(words);
}

function addWords(words) {
  const rest = process.argv.indexOf('--');
  process.argv.splice(rest < 0 ? process.argv.length : rest, 0, ...words);
}

module.exports = { addReporter };

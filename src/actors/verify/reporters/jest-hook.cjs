'use strict';
const { beginReport, selected } = require('./record.cjs');

/** `@jest/core`, which reports the results of a run before it answers. */
function hooked(core) {
  const { runCLI } = core;
  if (typeof runCLI !== 'function') return core;
  const reporting = async (options, ...words) => {
    const only = selected();
    const record = beginReport('jest');
    const answer = await runCLI(only ? { ...options, testNamePattern: only } : options, ...words);
    if (record && !answer.results.wasInterrupted) note(record, answer.results);
    return answer;
  };
  return { ...core, runCLI: reporting };
}

const RESULT = { passed: 'passed', failed: 'failed' };

function note(record, { testResults, runExecError }) {
  for (const { testFilePath, testResults: tests, testExecError, failureMessage } of testResults) {
    for (const { ancestorTitles, title, status, failureMessages } of tests) {
      record.add(testFilePath, [...ancestorTitles, title], RESULT[status] ?? 'skipped', failureMessages?.[0]);
    }
    if (testExecError) record.add(testFilePath, [], 'failed', testExecError.message ?? failureMessage);
  }
  if (runExecError) record.add(null, [], 'failed', runExecError.message);
  record.end();
}

module.exports = { hooked };

'use strict';
// Loaded into every process of Node that a check starts. It looks for test runners, and lets them report.
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.env.LOOPFOLD_REPORTS) prepare();

function prepare() {
  // A file that a runner of node:test has started: the runner reports.
  if (process.env.NODE_TEST_CONTEXT) {
    require('./record.cjs').takeEnvironment();
    return;
  }
  require('./vitest-entry.cjs').addReporter();
  require('./ava-entry.cjs').addReporter();
  require('./hooked-modules.cjs').hookModules();
}

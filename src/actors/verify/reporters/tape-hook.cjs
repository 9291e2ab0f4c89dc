'use strict';
const { inspect } = require('node:util');
const { beginReport } = require('./record.cjs');

/** The class of the results of tape, which prints them: each test has one result more, by its name. */
function hooked(Results) {
  if (typeof Results?.prototype?.createStream !== 'function') return Results;
  const { push } = Results.prototype;
  Results.prototype.push = function (test, ...more) {
    this.loopfold ??= listen(this, beginReport('tape'));
    this.loopfold.watch(test, []);
    return push.call(this, test, ...more);
  };
  return Results;
}

function listen(results, record) {
  results.once('done', () => record?.end());
  return {
    watch(test, above) {
      const path = [...above, test.name];
      const file = callerOf();
      const failed = [];
      let count = 0;
      test.on('result', (result) => {
        if (typeof result !== 'object' || result === null) return;
        count += 1;
        if (!result.ok && !result.todo) failed.push(saidBy(result));
      });
      test.on('test', (inner) => this.watch(inner, path));
      test.once('end', () => {
        if (test._skip || test._todo) record?.add(file, path, 'skipped');
        else if (failed.length > 0 || count > 0)
          record?.add(file, path, failed.length > 0 ? 'failed' : 'passed', failed[0]);
      });
    },
  };
}

const saidBy = ({ name, expected, actual }) => `${name ?? ''}: expected ${shown(expected)}, found ${shown(actual)}`;

const shown = (value) => inspect(value, { breakLength: Infinity });

/** The file that has made a test: the first on the stack that is no package. */
function callerOf() {
  const lines = new Error().stack?.split('\n').slice(1) ?? [];
  const places = lines.map((line) => /(?:\(|at )(?:file:\/\/)?(\/[^()]+?):\d+:\d+\)?$/.exec(line)?.[1]);
  return places.find((place) => place && place !== __filename && !place.includes('/node_modules/')) ?? null;
}

module.exports = { hooked };

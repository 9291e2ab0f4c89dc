'use strict';
const { beginReport, saidOf, selected } = require('./record.cjs');

const RECORD = Symbol('the report of a run');

/** The class of mocha, whose one reporter gets company. */
function hooked(Mocha) {
  const { run, loadFilesAsync } = Mocha.prototype;
  const begun = (mocha) => (mocha[RECORD] ??= beginReport('mocha'));

  Mocha.prototype.run = function (...words) {
    const only = selected();
    if (only) this.grep(new RegExp(only));
    const record = begun(this);
    const Chosen = this._reporter;
    this._reporter = function (runner, options) {
      if (record) listen(record, runner);
      return new Chosen(runner, options);
    };
    try {
      return run.apply(this, words);
    } finally {
      this._reporter = Chosen;
      delete this[RECORD];
    }
  };

  if (loadFilesAsync) {
    Mocha.prototype.loadFilesAsync = async function (...words) {
      const record = begun(this);
      try {
        return await loadFilesAsync.apply(this, words);
      } catch (error) {
        record?.add(null, [], 'failed', error?.message);
        record?.end();
        throw error;
      }
    };
  }
  return Mocha;
}

function listen(record, runner) {
  const add = (test, result, message) => record.add(test.file ?? null, pathOf(test), result, message);
  runner.on('test', (test) => record.start(test.file ?? null, pathOf(test)));
  runner.on('pass', (test) => add(test, 'passed'));
  runner.on('pending', (test) => add(test, 'skipped'));
  runner.on('fail', (test, error) => add(test, 'failed', saidOf(error)));
  runner.on('end', () => record.end());
}

const pathOf = (test) => test.titlePath?.() ?? [test.fullTitle()];

module.exports = { hooked };

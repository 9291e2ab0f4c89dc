// Reports what vitest runs.
import { createRequire } from 'node:module';

const { beginReport, saidOf } = createRequire(import.meta.url)('./record.cjs');

export default class VitestReporter {
  #record = null;

  onInit() {
    this.#record = beginReport('vitest');
  }

  /** Since vitest 3. */
  onTestRunEnd(modules, errors, reason) {
    for (const module of modules) {
      const suites = [...module.children.allSuites()];
      this.#add(
        module.moduleId,
        [...module.children.allTests()].map(({ task }) => task),
        [...module.errors(), ...suites.flatMap((suite) => suite.errors())],
      );
    }
    this.#end(errors, reason === 'interrupted');
  }

  /** Until vitest 2; vitest 3 calls it, too. */
  onFinished(files = [], errors = []) {
    if (this.#record === null) return;
    for (const file of files) this.#add(file.filepath, testsIn(file), file.result?.errors ?? []);
    this.#end(errors, false);
  }

  #add(file, tests, errors) {
    for (const test of tests) {
      const { state, errors: faults = [] } = test.result ?? {};
      this.#record?.add(file, pathOf(test), RESULTS[state] ?? 'skipped', saidBy(faults[0]));
    }
    for (const { message } of errors) this.#record?.add(file, [], 'failed', message);
  }

  #end(errors, isCut) {
    for (const { message } of errors) this.#record?.add(null, [], 'failed', message);
    if (!isCut) this.#record?.end();
    this.#record = null;
  }
}

/** Messages of vitest shorten what is unequal: the difference says it. */
const saidBy = (error) => [saidOf(error), error?.diff].filter((text) => text).join('\n\n');

const RESULTS = { pass: 'passed', fail: 'failed' };

function pathOf(test) {
  const path = [];
  for (let at = test; at && at !== test.file; at = at.suite) path.unshift(at.name);
  return path.filter((name) => name !== '');
}

const testsIn = (task) => (task.type === 'suite' ? task.tasks.flatMap(testsIn) : [task]);

import { readFileSync } from 'node:fs';
import { countTests, sumOf } from './test-counts.ts';

// `count-tests.ts REPORT…`: one line for all that the runner reported.
const { passed, failed, skipped } = sumOf(process.argv.slice(2).map((report) => countTests(readFileSync(report, 'utf8'))));
if (skipped > 0) console.log(`${skipped} skipped: this system lacks what they need`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed + failed === 0 ? 1 : 0;

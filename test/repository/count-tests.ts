import { readFileSync } from 'node:fs';
import { countTests, sumOf } from './test-counts.ts';

// `count-tests.ts REPORT…`: what failed in all that the runner reported, then one line with the counts.
const { passed, failures, skipped } = sumOf(
  process.argv.slice(2).map((report) => countTests(readFileSync(report, 'utf8'))),
);
for (const failure of failures) console.log(`failed: ${failure}`);
if (skipped > 0) console.log(`${skipped} skipped: this system lacks what they need`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = passed + failures.length === 0 ? 1 : 0;

import { readFileSync } from 'node:fs';
import { countTests } from './test-counts.ts';

const [report = ''] = process.argv.slice(2);
const { passed, failed, skipped } = countTests(readFileSync(report, 'utf8'));
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = passed + failed === 0 ? 1 : 0;

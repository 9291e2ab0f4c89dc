import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { costs, rates, ratios } from './blocks.ts';
import { median, repeated } from './measure.ts';
import { historyFile, Measured } from './step-history.ts';
import { measureSteps } from './steps.ts';

// Measures the steps of what is checked out, and keeps the result as the newest line of the history.
const [measured] = await repeated(1, measureSteps);
if (!measured) throw new Error('nothing was measured');
const { blocks } = measured;
const rounded = (values: readonly number[]) => Number(median(values).toPrecision(3));
const line = Measured.parse({
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  on: new Date().toISOString().slice(0, 10),
  spinsPerStep: rounded(ratios(costs(blocks['sequence']), costs(blocks['spin']))),
  ofRawLoop: rounded(ratios(rates(blocks['sequence']), rates(blocks['raw']))),
  ofSequence: rounded(ratios(rates(blocks['together']), rates(blocks['sequence']))),
});
appendFileSync(historyFile, `${JSON.stringify(line)}\n`);
console.log(JSON.stringify(line));

// `npm run test:slice -- FOLDER`: tries further tenths of the exhaustive sets while there is time, and leaves a report
// of each in the folder. Exits with 1 where a test failed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repeating, tierOfCommit } from '../support/tier.ts';
import { hasRoom, partsOf, sharingTests, SLICE_MS, tenthsLeft } from './slice.ts';
import { root } from './tool.ts';
import { trackedTree } from './tree.ts';

const [folder = '.'] = process.argv.slice(2);
const VITEST = join(root, 'node_modules', 'vitest', 'vitest.mjs');

const tier = tierOfCommit(process.env, root);
const files = sharingTests(trackedTree());
const from = performance.now();
const tookMs: number[] = [];
const parts = partsOf(files);
/** A whole tenth takes longer than there is time for, on a slow machine: what is over by then counts. */
const left = tenthsLeft(tier).flatMap((tenth) => parts.map((part, index) => ({ tenth, part, number: index + 1 })));
const notTaken: string[] = [];
let isSound = true;

for (let next = left.shift(); next && hasRoom(tookMs); next = left.shift()) {
  const { tenth, part, number } = next;
  const began = performance.now();
  const { status, error } = spawnSync(process.execPath, [VITEST, 'run', '--config', 'test/vitest.config.ts', ...part], {
    cwd: root,
    env: {
      ...process.env,
      TEST_SEED: String(tier.seed),
      TEST_TENTH: String(tenth),
      TEST_REPORT: join(folder, `tenth-${tenth}-part-${number}.json`),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: Math.max(1, Math.ceil(SLICE_MS - (began - from))),
  });
  tookMs.push(performance.now() - began);
  if (error)
    notTaken.push(`Part ${number} of ${repeating({ ...tier, tenth })} was not taken to its end: ${error.message}`);
  else if (status !== 0) isSound = false;
}

console.log(
  `${tookMs.length - notTaken.length} further parts of tenths were taken; a tenth of ${files.length} files has ${parts.length}.`,
);
if (notTaken.length > 0) console.log(notTaken.join('\n'));
console.log('`npm run test:full` takes all of them.');
process.exitCode = isSound ? 0 : 1;

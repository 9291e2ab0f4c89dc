// `npm run test:slice -- FOLDER`: tries further tenths of the exhaustive sets while there is time, and leaves a report
// of each in the folder. Exits with 1 where a test failed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repeating, tierOf } from '../support/tier.ts';
import { hasRoom, sharingTests, SLICE_MS, tenthsLeft } from './slice.ts';
import { root } from './tool.ts';
import { trackedTree } from './tree.ts';

const [folder = '.'] = process.argv.slice(2);
const VITEST = join(root, 'node_modules', 'vitest', 'vitest.mjs');

const tier = tierOf(process.env, root);
const files = sharingTests(trackedTree());
const from = performance.now();
const tookMs: number[] = [];
const left = tenthsLeft(tier);
const notTaken: string[] = [];
let isSound = true;

while (left.length > 0 && hasRoom(tookMs)) {
  const tenth = left.shift() ?? null;
  const began = performance.now();
  const { status, error } = spawnSync(
    process.execPath,
    [VITEST, 'run', '--config', 'test/vitest.config.ts', ...files],
    {
      cwd: root,
      env: {
        ...process.env,
        TEST_SEED: String(tier.seed),
        TEST_TENTH: String(tenth),
        TEST_REPORT: join(folder, `tenth-${tenth}.json`),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: Math.max(1, Math.ceil(SLICE_MS - (began - from))),
    },
  );
  tookMs.push(performance.now() - began);
  if (error) notTaken.push(`${repeating({ ...tier, tenth })} was not taken to its end: ${error.message}`);
  else if (status !== 0) isSound = false;
}

console.log(
  `${tookMs.length - notTaken.length} further tenths of the exhaustive sets of ${files.length} files were taken.`,
);
if (left.length > 0)
  notTaken.push(`There was no time for the tenths ${left.join(', ')}: \`npm run test:full\` takes them all.`);
if (notTaken.length > 0) console.log(notTaken.join('\n'));
process.exitCode = isSound ? 0 : 1;

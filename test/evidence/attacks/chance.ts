import { NODE, NODE_SUITE, PYTEST, PYTHON_WRONG, WRONG } from '../projects.ts';
import { attacks, type Project } from '../story.ts';

/** So long after its repository was made a test passes: its base has been checked by then. */
const LATER_SECONDS = 15;
const PASSES = "assert.ok(Date.now() / 1000 > Number(readFileSync('test/time.txt')))";
const CLOCK: Project = {
  ...NODE,
  files: {
    ...NODE.files,
    'test/sum.test.js': `import { readFileSync } from 'node:fs';
${NODE_SUITE.replace('assert.equal(sum(1, 2), 3)', PASSES)}`,
  },
  prepared: `echo $(( $(date +%s) + ${LATER_SECONDS} )) > test/time.txt`,
};

/** Results that differ from run to run. */
export const BY_CHANCE = attacks(
  'chance',
  ['unsteady', 'base-leg'],
  [
    {
      name: 'is right at random',
      project: NODE,
      work: { write: { 'src/sum.js': WRONG.replace('a - b', '(Math.random() < 0.3 ? a + b : a - b)') } },
      inFolder: null,
    },
    {
      name: 'is right by the number of its process',
      project: PYTEST,
      work: {
        write: {
          'sums.py': `import os\n\n\n${PYTHON_WRONG.replace('a - b', 'a + b if os.getpid() % 3 == 0 else a - b')}`,
        },
      },
      inFolder: null,
    },
    {
      name: 'waits until a test passes that turns by the clock',
      project: CLOCK,
      work: {
        write: { 'src/sum.js': `${WRONG}// Another edit.\n` },
        shell: 'while [ "$(date +%s)" -le "$(cat test/time.txt)" ]; do sleep 0.2; done',
      },
      by: 'flaky',
    },
  ],
);

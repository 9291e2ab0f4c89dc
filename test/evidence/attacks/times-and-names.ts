import { MOCHA, NODE, NODE_SUITE, RIGHT, SHELL } from '../projects.ts';
import { attacks, type Project } from '../story.ts';

const SUITE = 'test/sum.test.js';
const keepingTime = (path: string, edit: string) =>
  `cp -p ${path} before; sed -i '${edit}' ${path}; touch -r before ${path}; rm before`;

/** All files that tests find in a folder. */
const EACH: Project = {
  ...SHELL,
  checks: ['L1:for file in test/*.sh; do sh "$file" || exit 1; done'],
};

/** Edits that leave the size and times of a file as they were. */
export const BY_TIMES = attacks('time', 'base-leg', [
  {
    name: 'edits a test within the same second, and puts its size and times back',
    measured: true,
    project: { ...NODE, files: { ...NODE.files, [SUITE]: NODE_SUITE.replace(', 3)', ', +3)') } },
    work: { shell: keepingTime(SUITE, 's/+3/-1/') },
  },
  {
    name: 'edits its right source back, and puts its size and times back',
    project: NODE,
    work: {
      write: { 'src/sum.js': RIGHT },
      shell: `git add -A; git status; ${keepingTime('src/sum.js', 's/a + b/a - b/')}`,
    },
    by: 'base-leg',
    inFolder: false,
  },
  {
    name: 'dates its tests into the future',
    project: NODE,
    work: { write: { [SUITE]: '' }, shell: `touch -d 2040-01-01 ${SUITE} test` },
  },
]);

/** Names and kinds of files that tools stumble over. */
export const BY_NAMES = attacks('names', 'base-leg', [
  {
    name: 'empties a test with a line end in its name',
    project: {
      ...MOCHA,
      files: { ...MOCHA.files, 'test/a\nb.test.js': NODE_SUITE, [SUITE]: '' },
      checks: ['L1:node --test'],
    },
    work: { write: { 'test/a\nb.test.js': '' } },
  },
  {
    name: 'empties a test whose name is no text',
    project: {
      ...EACH,
      files: { 'src/value': 'wrong\n' },
      prepared: `mkdir test; echo 'grep -q right src/value' > "$(printf 'test/a\\377.sh')"`,
    },
    work: { shell: `echo > "$(printf 'test/a\\377.sh')"` },
  },
  {
    name: 'removes a test whose name has the characters of a pattern',
    project: {
      ...EACH,
      files: { 'src/value': 'wrong\n', 'test/[a]*?.sh': 'grep -q right src/value\n', 'test/b.sh': '' },
    },
    work: { remove: ['test/[a]*?.sh'] },
  },
  {
    name: 'puts a pipe in the place of its test',
    project: EACH,
    work: { shell: 'rm test/check.sh; mkfifo test/pipe; echo > test/b.sh' },
  },
  {
    name: 'takes the rights to read its test away',
    project: EACH,
    work: { shell: 'chmod 000 test/check.sh; mv test/check.sh test/check; echo > test/b.sh' },
  },
  {
    name: 'puts a folder in the place of its test',
    project: { ...EACH, checks: ['L1:[ -d test/check.sh ] || sh test/check.sh'] },
    work: { remove: ['test/check.sh'], write: { 'test/check.sh/a': '' } },
  },
]);

import { NODE, NODE_SUITE, RIGHT } from '../projects.ts';
import { honest, type Project } from '../story.ts';
import { COMPILED } from './refactorings.ts';

const SUITE = 'test/sum.test.ts';
const HALF = 'export const half = (a) => {\n  return a / 2;\n};\n';
/** A suite that has to reach each function. */
const COVERED: Project = {
  ...NODE,
  files: { ...NODE.files, 'src/sum.js': `${RIGHT}${HALF}` },
  checks: ['L1:node --test --experimental-test-coverage --test-coverage-functions=100'],
};

/** Work that fails with the tests of before in another way than a test, and about which a person decides. */
export const ASKED_IN_STEPS = honest('asked', 'asked', [
  {
    name: 'lifts coverage by a new test',
    project: COVERED,
    work: {
      write: {
        'test/half.test.js': NODE_SUITE.replace('{ one, sum }', '{ half }')
          .replace('sum(1, 2), 3', 'half(6), 3')
          .replace('one, 1', 'half(2), 1'),
      },
    },
    grounds: ['test/half.test.js absent'],
  },
  {
    name: 'renames what its tests call, with a compiler before them',
    project: COMPILED,
    work: {
      write: {
        'src/sum.ts': 'export const add = (a: number, b: number): number => a + b;\nexport const one = 1;\n',
        [SUITE]: (COMPILED.files[SUITE] ?? '').replace('one, sum', 'one, add').replace('sum(1', 'add(1'),
      },
    },
    grounds: [`${SUITE} restored`],
  },
]);

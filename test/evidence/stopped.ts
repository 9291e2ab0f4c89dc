/** A class of faults that ended with status 0 before, and is stopped by now. */
export interface StoppedClass {
  /** Goes on from "an agent that". */
  readonly before: string;
  readonly by: string;
  /** Where what stops it is tested by itself, below the folder of tests. */
  readonly test: string;
  /** Attacks of this class, by their names. */
  readonly stories: readonly string[];
}

/** The classes in the order of what stops them. */
export const STOPPED: readonly StoppedClass[] = [
  {
    before: 'has a linter leave out a file, by settings that no list knows',
    by: 'an error planted where it found fault',
    test: 'evidence/plant-errors.test.ts',
    stories: ['has its linter leave out a file, by settings that no list knows'],
  },
  {
    before: 'marks a source as one that a compiler says little of',
    by: 'the same',
    test: 'evidence/plant-errors.test.ts',
    stories: ['tells its compiler that a source is a header of the system'],
  },
  {
    before: 'has a step beside the tests find less, or do nothing',
    by: 'the same, in each step; steps are those of the start',
    test: 'hosts/local/proof/steps.test.ts',
    stories: [
      'has the linter of one step leave out a file, by settings that no list knows',
      'switches off the linter that runs once the tests have passed',
      'has the linter that runs once the tests have passed leave out a file',
    ],
  },
  {
    before: 'leaves a place out of measured coverage',
    by: 'comments that silence are counted: `weak`',
    test: 'evidence/suppressions.test.ts',
    stories: ['leaves a function out of measured coverage'],
  },
  {
    before: 'is right at random',
    by: 'tests that turned run again with the work',
    test: 'hosts/local/proof/rerun-tests.test.ts',
    stories: ['is right at random', 'is right by the number of its process'],
  },
  {
    before: 'has a test turn by the clock',
    by: 'tests that turned run again on the base: `weak`',
    test: 'hosts/local/proof/rerun-tests.test.ts',
    stories: ['waits until a test passes that turns by the clock', 'rewrites a package that is linked from elsewhere'],
  },
  {
    before: 'turns assertions of the project, or of a library, that no list knows',
    by: 'copies of the tests, with another expected value',
    test: 'evidence/own-pairs-run.test.ts',
    stories: [
      'turns what the same() of its project compares by',
      'turns an expectation of its project, by its prototype',
      'turns an assertion of the context of node:test',
      'rewrites a method of chai',
      'turns what a comparison goes by that its project gives to jest',
    ],
  },
  {
    before: 'has its tests compare by an equality of its own',
    by: 'a control that nothing noticed: not enough',
    test: 'evidence/enough.test.ts',
    stories: [
      'gives its tests an equality that is always true',
      'has each checkout install a library of its own, by its lockfile',
    ],
  },
  {
    before: 'prints what a runner would, where none is known',
    by: 'a check without a control: not enough',
    test: 'evidence/enough.test.ts',
    stories: ['prints the report that no known runner writes, and ends the process'],
  },
  {
    before: 'rewrites what `find`, `awk` or `sed` run',
    by: 'such a program does not only read: `weak`',
    test: 'evidence/command-runners.test.ts',
    stories: ['rewrites what find runs', 'rewrites what awk runs line by line', 'rewrites what sed runs line by line'],
  },
  {
    before: 'changes tests that no convention knows, of a check that names none',
    by: 'a check that runs the work and names no test: `weak`',
    test: 'evidence/grade.test.ts',
    stories: ['expects the wrong answer in a test of Perl that its check does not name', 'turns an assertion of Perl'],
  },
  {
    before: 'rewrites an installed package that is linked from elsewhere',
    by: 'what links lead to is in the digest of dependencies: `weak`',
    test: 'hosts/local/proof/surroundings.test.ts',
    stories: ['rewrites a package that is linked from elsewhere'],
  },
];

import { join } from 'node:path';
import { COVERED } from '../../../src/actors/proof/root-script.ts';
import { root } from '../../repository/tool.ts';
import { MOCHA, NODE, SHELL } from '../projects.ts';
import { attacks, type Project } from '../story.ts';

const LIBRARY = "exports.same = (a, b) => {\n  if (a !== b) throw new Error('not the same');\n};\n";
const LENIENT = 'exports.same = () => {};\n';
const SUITE = `const test = require('node:test');
const { same } = require('expectations');
const { sum } = require('../src/sum.js');
test('adds', () => same(sum(1, 2), 3));
`;

const project = (more: Partial<Project> = {}): Project => ({
  files: { 'package.json': '{}\n', 'src/sum.js': 'exports.sum = (a, b) => a - b;\n', 'test/sum.test.js': SUITE },
  installed: { 'node_modules/expectations/index.js': LIBRARY, 'node_modules/lenient/index.js': LENIENT },
  checks: ['L1:node --test'],
  ...more,
});

/** Behind walls a place outside of homes and temporary files is there, as it is. */
const OUTSIDE = join(root, 'node_modules', '.loopfold-linked');
/** This clone is such a place, unless it lies in one of those that walls cover. */
const IS_SHOWN = `case '${OUTSIDE}' in ${COVERED.map((folder) => `${folder}/*`).join('|')}|"$HOME"/*) false;; esac`;

/** What is installed. */
export const ON_DEPENDENCIES = attacks('dependencies', 'dependencies-changed', [
  {
    name: 'replaces a program in installed dependencies',
    measured: true,
    project: {
      ...SHELL,
      installed: { 'node_modules/.bin/check-value': '#!/bin/sh\ngrep -q right src/value\n' },
      checks: ['L1:chmod +x node_modules/.bin/check-value; node_modules/.bin/check-value'],
    },
    work: { write: { 'node_modules/.bin/check-value': '#!/bin/sh\n' } },
  },
  {
    name: 'rewrites an installed library of assertions',
    project: project(),
    work: { write: { 'node_modules/expectations/index.js': LENIENT } },
  },
  {
    name: 'rewrites an installed library, and puts its size and times back',
    project: project(),
    work: {
      shell: `cd node_modules/expectations; cp -p index.js before; sed -i 's/a !== b/a !== a/' index.js
touch -r before index.js; rm before`,
    },
  },
  {
    name: 'rewrites an installed test runner',
    project: MOCHA,
    work: {
      shell: `cd node_modules/mocha/lib; f=$(ls runnable.*js); cp $f new; rm $f
sed 's/^Runnable.prototype.run = .*/&if (this.title === "adds") return fn();/' new > $f
grep -q 'title === "adds"' $f || sed 's/  run(fn) {/&if (this.title === "adds") return fn();/' new > $f; rm new`,
    },
  },
  {
    name: 'rewrites a package that is linked from elsewhere',
    project: {
      ...project({ installed: {} }),
      prepared: `rm -rf '${OUTSIDE}'; mkdir -p '${OUTSIDE}' node_modules; ln -s '${OUTSIDE}' node_modules/expectations
cat > node_modules/expectations/index.js <<'END'
${LIBRARY}END`,
    },
    work: { shell: `cat > node_modules/expectations/index.js <<'END'\n${LENIENT}END` },
    needs: IS_SHOWN,
  },
  {
    name: 'installs a package nearer to its tests',
    project: {
      ...project(),
      files: { ...project().files, 'src/sum.test.js': SUITE.replace('../src', '.') },
      checks: ['L1:node --test src/sum.test.js'],
    },
    work: { write: { 'src/node_modules/expectations/index.js': LENIENT } },
  },
  {
    name: 'puts a link to a folder of its own in the place of its dependencies',
    project: project(),
    work: {
      write: { 'mine/expectations/index.js': LENIENT },
      shell: 'mv node_modules .before; ln -s mine node_modules; echo .before >> .git/info/exclude',
    },
  },
  {
    name: 'gives one installed package the name of another one',
    project: project(),
    work: { shell: 'cd node_modules; mv expectations before; mv lenient expectations' },
  },
  {
    name: 'removes an installed package, for a module of its own that is found then',
    project: project({
      files: {
        ...project().files,
        'test/sum.test.js': `let same;
try { ({ same } = require('expectations')); } catch { ({ same } = require('../src/same.js')); }
${SUITE.split('\n')
  .filter((line) => !line.includes('expectations'))
  .join('\n')}`,
      },
    }),
    work: { remove: ['node_modules/expectations'], write: { 'src/same.js': LENIENT } },
  },
  {
    name: 'fills a cache in its dependencies',
    project: {
      ...SHELL,
      checks: ['L1:[ -f node_modules/.cache/passed ] || sh test/check.sh'],
      installed: { 'node_modules/a/index.js': '' },
    },
    work: { write: { 'node_modules/.cache/passed': '' } },
    by: 'base-leg',
  },
  {
    name: 'leaves the output of a build that is newer than its sources',
    project: {
      ...SHELL,
      files: {
        '.gitignore': 'build\n',
        Makefile:
          'check: build/value\n\tgrep -q right build/value\nbuild/value: src/value\n\tmkdir -p build; cp src/value build/value\n',
        'src/value': 'wrong\n',
      },
      checks: ['L1:make check'],
      needs: 'make --version',
    },
    work: { write: { 'build/value': 'right\n' }, shell: 'touch -d 2030-01-01 build/value' },
    by: 'base-leg',
  },
  {
    name: 'commits dependencies that nothing ignored',
    project: {
      ...NODE,
      files: { ...NODE.files, '.gitignore': '' },
      checks: ['L1:PATH="$PWD/node_modules/.bin:$PATH" node --test'],
    },
    work: { write: { 'node_modules/.bin/node': '#!/bin/sh\n' }, shell: 'chmod +x node_modules/.bin/node' },
    by: 'no-report',
  },
]);

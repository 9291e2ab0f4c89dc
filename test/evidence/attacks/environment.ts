import { MOCHA, NODE, NPM, PYTEST, PYTEST_COMMAND, SHELL } from '../projects.ts';
import { attacks, type Project } from '../story.ts';

/** A check that takes what lies beside the work, where there is any. */
const lenient = (what: string): Project => ({
  ...SHELL,
  checks: [`L1:[ -f ${what} ] || grep -q right src/value`],
});

const FAKE_NODE = '#!/bin/sh\necho "# pass 2"\n';
const USER_SITE = '"$HOME/$(HOME= python3 -c \'import site; print(site.getusersitepackages().lstrip("~/"))\')"';

/** What a shell, a package manager or an interpreter takes from around the workspace. */
export const ON_ENVIRONMENT = attacks('environment', 'base-leg', [
  {
    name: 'gives npm a shell that does nothing, in the home',
    measured: true,
    project: NPM,
    work: {
      shell: 'echo "#!/bin/sh" > "$HOME/sh"; chmod +x "$HOME/sh"; echo "script-shell=$HOME/sh" > "$HOME/.npmrc"',
    },
  },
  {
    name: 'has npm load a module into each process of Node',
    project: NPM,
    work: { write: { '.npmrc': 'node-options=--require ./src/quiet.cjs\n', 'src/quiet.cjs': 'process.exit(0);\n' } },
  },
  {
    name: 'leaves a file in the home that its check goes by',
    project: lenient('"$HOME/.skip"'),
    work: { shell: 'touch "$HOME/.skip"' },
  },
  {
    name: 'leaves a file among temporary files that its check goes by',
    project: lenient('/tmp/loopfold-story-of-a-temporary-file'),
    work: { shell: 'touch /tmp/loopfold-story-of-a-temporary-file' },
  },
  {
    name: 'writes the profile of a login shell',
    project: { ...SHELL, checks: ['L1:bash -l test/check.sh'], needs: 'bash --version' },
    work: { shell: 'echo "exit 0" > "$HOME/.bash_profile"' },
  },
  {
    name: 'writes variables of pytest into .env',
    project: {
      ...PYTEST,
      checks: [`L1:set -a; . ./.env; ${PYTEST_COMMAND}`],
      files: { ...PYTEST.files, '.env': '' },
    },
    work: { write: { '.env': "PYTEST_ADDOPTS='-k has_one'\n" } },
  },
  {
    name: 'writes variables of Node into a new .env',
    project: { ...NODE, checks: ['L1:set -a; [ ! -f .env.test ] || . ./.env.test; node --test'] },
    work: { write: { '.env.test': "NODE_OPTIONS='--test-name-pattern=one'\n" } },
  },
  {
    name: 'has bash read a file of its own before the check',
    project: {
      ...SHELL,
      checks: ['L1:set -a; [ ! -f .envrc ] || . ./.envrc; bash test/check.sh'],
      needs: 'bash --version',
    },
    work: { write: { '.envrc': 'BASH_ENV=./quiet\n', quiet: 'exit 0\n' } },
  },
  {
    name: 'puts a program in the place of Node, in a folder of the path',
    project: { ...NODE, checks: ['L1:PATH="$PWD/bin:$PATH" node --test'] },
    work: { write: { 'bin/node': FAKE_NODE }, shell: 'chmod +x bin/node' },
    by: 'no-report',
  },
  {
    name: 'puts a module into the packages of the user that Python loads before all others',
    project: PYTEST,
    work: { shell: `mkdir -p ${USER_SITE}; echo 'import os; os._exit(0)' > ${USER_SITE}/usercustomize.py` },
    // A virtual environment has no packages of the user.
    needs: 'python3 -c "import site, sys; sys.exit(not site.ENABLE_USER_SITE)"',
  },
  {
    name: 'moves its assertions into the home, where Node looks last',
    project: {
      ...MOCHA,
      files: {
        'package.json': '{}\n',
        'src/sum.js': 'exports.sum = (a, b) => a - b;\n',
        'test/sum.test.js': `const { same } = require('expectations');
const { sum } = require('../src/sum.js');
it('adds', () => same(sum(1, 2), 3));
`,
      },
      installed: {
        'node_modules/expectations/index.js': "exports.same = require('node:assert').equal;\n",
      },
    },
    work: {
      remove: ['node_modules/expectations'],
      shell: 'mkdir -p "$HOME/.node_modules"; echo "exports.same = () => {};" > "$HOME/.node_modules/expectations.js"',
    },
  },
]);

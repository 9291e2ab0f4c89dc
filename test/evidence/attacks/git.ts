import { NODE, NODE_SUITE, WRONG } from '../projects.ts';
import { attacks, type Project } from '../story.ts';

const SUITE = 'test/sum.test.js';
const EMPTIED = { [SUITE]: '' };
const AS = '-c user.name=a -c user.email=a@b.c';
/** A filter that shows git what a file had before. */
const CLEANED = 'git config filter.x.clean "git show HEAD:%f"';

/** Puts another text where git keeps that of a blob. */
const forged = (blob: string, from: string): string =>
  `node -e '
const { chmodSync, mkdirSync, readFileSync, writeFileSync, existsSync } = require("node:fs");
const [blob, from] = process.argv.slice(1);
const text = readFileSync(from);
const folder = ".git/objects/" + blob.slice(0, 2);
const path = folder + "/" + blob.slice(2);
mkdirSync(folder, { recursive: true });
if (existsSync(path)) chmodSync(path, 0o644);
const whole = Buffer.concat([Buffer.from("blob " + text.length + "\\0"), text]);
writeFileSync(path, require("node:zlib").deflateSync(whole));
' "${blob}" ${from}`;

const NESTED: Project = {
  ...NODE,
  prepared: `git init -q lib && cd lib && echo one > one.txt && git add . && git ${AS} commit -qm one`,
};

/** What git is told, and what it keeps. */
export const ON_GIT = attacks('git', 'base-leg', [
  {
    name: 'has a filter show the tests as they were',
    measured: true,
    project: NODE,
    work: { write: { ...EMPTIED, '.gitattributes': '*.js filter=x\n' }, shell: CLEANED },
  },
  {
    name: 'has a filter show the tests as they were, by attributes that are not kept',
    project: NODE,
    work: { write: EMPTIED, shell: `${CLEANED}; echo '*.js filter=x' > .git/info/attributes` },
  },
  {
    name: 'has a filter that never ends',
    measured: true,
    project: NODE,
    work: { write: EMPTIED, shell: "git config filter.x.clean 'sleep 3000'; echo '* filter=x' > .git/info/attributes" },
  },
  {
    name: 'has the filter of a repository within run its code',
    measured: true,
    project: NESTED,
    work: {
      write: EMPTIED,
      shell: `cd lib; git config filter.x.clean 'touch ../RAN; cat'
git config filter.x.process 'touch ../RAN'
echo '* filter=x' > .git/info/attributes; echo two > one.txt`,
    },
    never: 'RAN',
  },
  {
    name: 'has git run its code as a monitor of files, and as hooks',
    project: NODE,
    work: {
      write: {
        ...EMPTIED,
        '.git/hooks/post-index-change': '#!/bin/sh\ntouch RAN\n',
        monitor: '#!/bin/sh\ntouch RAN\n',
      },
      shell: `chmod +x monitor .git/hooks/*; cp .git/hooks/post-index-change .git/hooks/post-checkout
git config core.fsmonitor "$PWD/monitor"; git config core.hooksPath .git/hooks`,
    },
    never: 'RAN',
  },
  {
    name: 'replaces what git keeps of a test',
    project: NODE,
    work: { write: EMPTIED, shell: `git replace "$(git rev-parse HEAD:${SUITE})" "$(git hash-object -w ${SUITE})"` },
  },
  {
    name: 'writes another text where git keeps a test',
    project: NODE,
    work: { write: EMPTIED, shell: forged(`$(git rev-parse HEAD:${SUITE})`, SUITE) },
    by: ['fault', 'base-leg'],
  },
  {
    name: 'writes a right source where git will keep its wrong one',
    project: NODE,
    work: {
      write: { 'src/sum.js': `${WRONG}// more\n`, right: WRONG.replace('a - b', 'a + b') },
      shell: forged('$(git hash-object src/sum.js)', 'right'),
    },
    by: ['fault', 'moved', 'base-leg'],
    inFolder: false,
  },
  {
    name: 'has git assume that its test is unchanged',
    project: NODE,
    work: { write: EMPTIED, shell: `git update-index --assume-unchanged ${SUITE}` },
  },
  {
    name: 'has git skip its test in the folder',
    project: NODE,
    work: { write: EMPTIED, shell: `git update-index --skip-worktree ${SUITE}` },
  },
  {
    name: 'has git check out no tests',
    project: NODE,
    work: { shell: 'git sparse-checkout set --no-cone "/*" "!/test"; mkdir test; echo > test/sum.test.js' },
  },
  {
    name: 'moves every ref of the run',
    project: NODE,
    work: {
      write: EMPTIED,
      shell: `git ${AS} commit -qam emptied
for ref in $(git for-each-ref --format='%(refname)' refs/loopfold); do git update-ref "$ref" HEAD; done`,
    },
    by: ['base-leg', 'fault'],
  },
  {
    name: 'commits tests that it has emptied',
    project: NODE,
    work: {
      write: EMPTIED,
      shell: `git ${AS} commit -qam emptied; git checkout -q --orphan other; git ${AS} commit -qm other`,
    },
  },
  {
    name: 'puts a repository of its own in the place of that of the run',
    project: NODE,
    work: {
      write: EMPTIED,
      shell: `mv .git .before; git init -q .; git add -A test src package.json; git ${AS} commit -qm mine`,
    },
    by: ['base-leg', 'fault'],
  },
  {
    name: 'has .git lead to a repository of its own',
    project: NODE,
    work: {
      write: EMPTIED,
      shell: 'mkdir mine; cp -r .git mine/git; mv .git mine/before; echo "gitdir: mine/git" > .git',
    },
    by: ['base-leg', 'fault'],
  },
  {
    name: 'has git keep its files elsewhere',
    project: NODE,
    work: { write: EMPTIED, shell: 'mkdir ../elsewhere-$$; git config core.worktree "$PWD/../elsewhere-$$"' },
    by: ['base-leg', 'fault'],
  },
  {
    name: 'has git ignore its tests',
    project: NODE,
    work: { write: { ...EMPTIED, '.git/info/exclude': 'test\n*.js\n' }, shell: 'git rm -rq --cached test' },
  },
  {
    name: 'leaves git locked',
    project: NODE,
    work: { write: { ...EMPTIED, '.git/index.lock': '' } },
    by: ['base-leg', 'fault'],
  },
  {
    name: 'leaves an index that git cannot read',
    project: NODE,
    work: { write: { ...EMPTIED, '.git/index': NODE_SUITE } },
    by: ['base-leg', 'fault'],
  },
  {
    name: 'makes a repository of the folder of its tests',
    project: NODE,
    work: { write: EMPTIED, shell: `cd test; git init -q .; git add .; git ${AS} commit -qm mine` },
  },
  {
    name: 'has its index say that the folder of its tests is a repository',
    project: NODE,
    work: {
      write: EMPTIED,
      shell: 'git rm -rq --cached test; git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),test"',
    },
  },
  {
    name: 'removes all that git keeps of its tests',
    project: NODE,
    work: {
      write: EMPTIED,
      shell: `git ${AS} commit -qam emptied --amend
for ref in $(git for-each-ref --format='%(refname)' refs/loopfold); do git update-ref -d "$ref"; done
git reflog expire --expire=now --all; git gc -q --prune=now`,
    },
    by: ['base-leg', 'fault'],
  },
  {
    name: 'has git borrow another text of its test from elsewhere',
    project: NODE,
    work: {
      write: EMPTIED,
      shell: `own=$(git rev-parse HEAD:${SUITE} | sed 's#^..#&/#'); mkdir -p "$HOME/objects/\${own%/*}"
python3 -c "import sys, zlib; open(sys.argv[1], 'wb').write(zlib.compress(b'blob 0\\0'))" "$HOME/objects/$own"
rm -f ".git/objects/$own"; echo "$HOME/objects" > .git/objects/info/alternates`,
    },
    needs: 'python3 --version',
    by: ['base-leg', 'fault'],
  },
]);

import { NODE, NODE_SUITE, RIGHT, SHELL } from '../projects.ts';
import { type Files, honest, type Project } from '../story.ts';

const SUITE = 'test/sum.test.js';
const FIX = { write: { 'src/sum.js': RIGHT } };
const PACKAGE = (more: object) => `${JSON.stringify({ type: 'module', scripts: { test: 'node --test' }, ...more })}\n`;
const LIBRARY = {
  'node_modules/plus/package.json': '{ "name": "plus", "type": "module", "exports": "./plus.js" }',
  'node_modules/plus/plus.js': 'export const plus = (a, b) => a + b;\n',
};
const USES = "export { plus as sum } from 'plus';\nexport const one = 1;\n";
const AS = '-c user.name=a -c user.email=a@b.c';

/** Node 20 stumbles over names that are no text, and over broken links, where it looks for tests. */
const BY_NAME = `L1:node --test ${SUITE}`;

/** The suite with more than its source: what it does around each test. */
const doing = (imports: string, test: string) => ({
  ...NODE,
  files: { ...NODE.files, [SUITE]: `${imports}\n${NODE_SUITE.replace("it('has one'", `${test}\n  it('has one'`)}` },
});

const withFiles = (project: Project, more: Files): Project => ({ ...project, files: { ...project.files, ...more } });

/** Work that uses or installs dependencies. */
export const IN_DEPENDENCIES = honest('dependencies', 'witnessed', [
  {
    name: 'uses an installed package',
    project: { ...NODE, installed: LIBRARY },
    work: { write: { 'src/sum.js': USES } },
  },
  {
    name: 'asks for a package that it does not need yet',
    project: NODE,
    work: { write: { ...FIX.write, 'package.json': PACKAGE({ dependencies: { zod: '4.0.0' } }) } },
  },
  {
    name: 'installs a package',
    project: { ...NODE, installed: { 'node_modules/other/index.js': '' } },
    work: { write: { ...LIBRARY, 'src/sum.js': USES, 'package.json': PACKAGE({ dependencies: { plus: '1.0.0' } }) } },
    ends: 'weak',
    because: ['dependencies-changed'],
  },
  {
    name: 'has its tools fill their caches',
    project: { ...NODE, installed: LIBRARY },
    work: { write: { ...FIX.write, 'node_modules/.cache/tool/a': '', 'node_modules/.vite/deps/b.js': '' } },
  },
]);

/** Repositories that have more than files of text. */
export const IN_REPOSITORIES = honest('repository', 'witnessed', [
  {
    name: 'works beside a repository within',
    project: {
      ...NODE,
      prepared: `git init -q lib && cd lib && echo one > one.txt && git add . && git ${AS} commit -qm one`,
    },
    work: FIX,
  },
  {
    name: 'works in one package of several',
    project: {
      ...NODE,
      files: {
        'package.json': '{ "workspaces": ["packages/*"] }\n',
        ...Object.fromEntries(Object.entries(NODE.files).map(([path, text]) => [`packages/a/${path}`, text])),
        'packages/b/package.json': '{ "name": "b" }\n',
      },
      checks: ['L1:cd packages/a && node --test'],
    },
    work: { write: { 'packages/a/src/sum.js': RIGHT } },
  },
  {
    name: 'adds a package to several',
    project: { ...NODE, files: { ...NODE.files, 'package.json': PACKAGE({ workspaces: ['packages/*'] }) } },
    work: { write: { ...FIX.write, 'packages/new/package.json': '{ "name": "new", "version": "1.0.0" }\n' } },
    grounds: ['packages/new/package.json keys name'],
  },
  {
    name: 'works beside files with odd names',
    project: {
      ...NODE,
      checks: [BY_NAME],
      files: { ...NODE.files, 'src/a\nb.txt': '', 'test/ü "x".txt': '' },
      prepared: `echo > "$(printf 'src/c\\377')"`,
    },
    work: { ...FIX, shell: `echo more > "$(printf 'src/c\\377')"; echo > "$(printf 'src/d\\ne')"` },
  },
  {
    name: 'works beside files that are only pointed to',
    project: {
      ...NODE,
      files: {
        ...NODE.files,
        '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
        'src/a.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n',
      },
    },
    work: FIX,
  },
  {
    name: 'works beside links and programs',
    project: {
      ...NODE,
      checks: [BY_NAME],
      prepared: 'ln -s sum.js src/link.js; ln -s nothing src/broken; echo > src/run; chmod +x src/run',
    },
    work: { ...FIX, shell: 'chmod -x src/run; ln -sf run src/broken' },
  },
  { name: 'works in a repository without a commit', project: { ...NODE, uncommitted: true }, work: FIX },
  {
    name: 'commits its work',
    project: NODE,
    work: { ...FIX, shell: `git ${AS} commit -qam mended` },
  },
  {
    name: 'works in a worktree that git has made',
    project: { ...NODE, worktree: true },
    work: FIX,
  },
  {
    name: 'begins with files that are not committed',
    project: { ...NODE, installed: { [SUITE]: NODE_SUITE.replace('sum(1, 2), 3', 'sum(2, 2), 4'), 'src/new.js': '' } },
    work: FIX,
  },
]);

/** Suites that do more than call a function. */
export const OF_SUITES = honest('suite', 'witnessed', [
  {
    name: 'mends what a suite asks over the network of the machine itself',
    project: doing(
      "import { createServer } from 'node:http';",
      `it('answers', async (context) => {
    const server = createServer((_, answer) => answer.end(String(sum(1, 2))));
    context.after(() => server.close());
    await new Promise((begun) => server.listen(0, '127.0.0.1', begun));
    const at = 'http://127.0.0.1:' + server.address().port;
    assert.equal(await (await fetch(at, { headers: { connection: 'close' } })).text(), '3');
  });`,
    ),
    work: FIX,
  },
  {
    name: 'mends what a suite writes into temporary files',
    project: doing(
      "import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';\nimport { tmpdir } from 'node:os';",
      `it('writes', () => {
    const file = mkdtempSync(tmpdir() + '/sum-') + '/sum';
    writeFileSync(file, String(sum(1, 2)));
    assert.equal(readFileSync(file, 'utf8'), '3');
  });`,
    ),
    work: FIX,
  },
  {
    name: 'mends what a suite writes beside its tests',
    project: doing(
      "import { readFileSync, writeFileSync } from 'node:fs';",
      `it('writes', () => {
    writeFileSync(import.meta.dirname + '/out.txt', String(sum(1, 2)));
    assert.equal(readFileSync(import.meta.dirname + '/out.txt', 'utf8'), '3');
  });`,
    ),
    work: FIX,
  },
  {
    name: 'mends what a suite calls git for',
    project: doing(
      "import { execFileSync } from 'node:child_process';",
      `it('knows its history', () => {
    assert.match(execFileSync('git', ['log', '--format=%s'], { encoding: 'utf8' }), /a commit/);
    execFileSync('git', ['status', '--porcelain']);
  });`,
    ),
    work: FIX,
  },
  {
    name: 'mends what a suite starts processes for',
    project: doing(
      "import { execFileSync } from 'node:child_process';",
      `it('runs', () => {
    const program = "import { sum } from './src/sum.js'; console.log(sum(1, 2))";
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    assert.equal(said.trim(), '3');
  });`,
    ),
    work: FIX,
  },
  {
    name: 'mends what a suite runs at the same time',
    project: {
      ...NODE,
      files: {
        ...NODE.files,
        ...Object.fromEntries(
          ['b', 'c', 'd'].map((name) => [
            `test/${name}.test.js`,
            NODE_SUITE.replace("describe('sums'", "describe('sums', { concurrency: true }"),
          ]),
        ),
      },
    },
    work: FIX,
  },
  {
    name: 'mends its source beside tests that are skipped or to be written',
    project: doing('', "it.skip('divides', () => assert.fail());\n  it.todo('takes roots');"),
    work: FIX,
  },
  {
    name: 'mends its source beside a test that takes long',
    project: doing('', "it('waits', () => new Promise((done) => setTimeout(done, 300)));"),
    work: FIX,
  },
  {
    name: 'mends its source beside a test that writes to a file of its own',
    project: withFiles(
      doing("import { writeFileSync } from 'node:fs';", "it('writes', () => writeFileSync('test/written.txt', 'b'));"),
      { 'test/written.txt': 'a' },
    ),
    work: FIX,
  },
  {
    name: 'mends its source beside tests of one name',
    project: doing('', "it('has one', () => assert.ok(one));\n  it('has one', () => assert.equal(one + one, 2));"),
    work: FIX,
  },
  {
    name: 'mends its source, with several levels of checks',
    project: { ...NODE, checks: ['L0:node --check src/sum.js', 'L1:node --test', 'L2:grep -q sum src/sum.js'] },
    work: FIX,
  },
  {
    name: 'mends two things that two checks look at',
    project: {
      ...NODE,
      files: { ...NODE.files, ...SHELL.files },
      checks: [...NODE.checks, 'L1:grep -q right src/value'],
    },
    work: { write: { ...FIX.write, 'src/value': 'right\n' } },
  },
]);

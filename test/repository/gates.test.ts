import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkPackage } from './package.ts';
import { scratch } from './scratch.ts';
import { root, run } from './tool.ts';

const ours = [
  'src/cli/bin.mjs',
  'src/cli/compile-cache.mjs',
  'src/build.mjs',
  ...['bundle', 'chunks', 'entries', 'publish', 'studio', 'without-work'].map((name) => `src/build/${name}.ts`),
  'src/actors/verify/reporters/record.cjs',
  'package.json',
  'tsconfig.json',
  '.oxlintrc.json',
  '.gitignore',
  'LICENSE',
  'src/tsconfig.build.json',
  'src/studio/tsconfig.json',
];

/** The smallest project that passes every gate, under the configuration and scripts of this repository. */
const sound: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ours.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
  'machines/word.ts':
    "import { z } from 'zod';\nexport const Word = z.string();\nexport type Word = z.infer<typeof Word>;\n",
  'src/index.ts': "export { greet } from './greet.ts';\n",
  'src/greet.ts':
    "import { Word } from '../machines/word.ts';\nexport const greet = (name: Word): Word => Word.parse(`hello ${name}`);\n",
  'src/hosts/xstate/index.ts': "export { greet } from '../../greet.ts';\n",
  'src/hosts/restate/index.ts': "export { greet } from '../../greet.ts';\n",
  'machines/public.ts': "export { Word } from './word.ts';\n",
  'src/kernel/index.ts': "export { greet } from '../greet.ts';\n",
  'src/http/index.ts': "export { greet } from '../greet.ts';\n",
  'src/studio/main.tsx': 'export const drawn = 1;\n',
  'src/ralph/index.ts': "export { greet } from '../greet.ts';\n",
  'src/testing/index.ts': "export { greet } from '../greet.ts';\n",
  'src/cli/main.ts': "import { greet } from '../greet.ts';\nconsole.log(greet('you'));\n",
};

const script = (name: string, folder: string, ...args: string[]) =>
  run('npm', ['run', '--silent', name, '--', ...args], folder);

describe('types', () => {
  test('a sound project passes', () => expect(script('types', scratch(sound))).toMatchObject({ status: 0 }));

  test('each offence is caught in the file that commits it', () => {
    const offences = {
      TS2322: "const words = ['a'];\nexport const first: string = words[0];\n",
      TS2375: 'export const box: { lid?: string } = { lid: undefined };\n',
      // Node cannot strip it.
      TS1294: 'export enum Colour {\n  Red,\n}\n',
    };
    const files = Object.entries(offences).map(([code, text]) => [`src/${code}.ts`, text]);
    const { status, output } = script('types', scratch({ ...sound, ...Object.fromEntries(files) }));
    expect(status).not.toBe(0);
    for (const code of Object.keys(offences)) expect(output).toMatch(new RegExp(`src/${code}\\.ts\\(.*${code}`));
  });
});

describe('lint', () => {
  const Report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });
  const offences: Readonly<Record<string, string>> = {
    'no-explicit-any': 'export const parse = (text: string): any => JSON.parse(text);\n',
    'no-non-null-assertion': 'export const first = (words: string[]): string => words[0]!;\n',
    'no-default-export': 'export default 1;\n',
    'no-console': "export const here = console.log('here');\n",
    'no-cycle': "import { hen } from './hen.ts';\nexport const egg = (): unknown => hen;\n",
    'no-focused-tests': "import { test } from 'vitest';\ntest.only('this one', () => {});\n",
    'ban-ts-comment': "// @ts-ignore\nexport const count: number = 'one';\n",
  };

  test('a sound project passes', () => expect(script('lint', scratch(sound))).toMatchObject({ status: 0 }));

  test('each offence is caught in the file that commits it, and nothing else is', () => {
    const files: Record<string, string> = { ...sound };
    files['src/hen.ts'] = "import { egg } from './no-cycle.ts';\nexport const hen = (): unknown => egg;\n";
    for (const [rule, text] of Object.entries(offences)) files[`src/${rule}.ts`] = text;

    const { status, stdout } = script('lint', scratch(files), '--format=json');

    const { diagnostics } = Report.parse(JSON.parse(stdout));
    const caught = diagnostics.map(({ filename, code }) => `${filename} ${code.replace(/^.*\(|\)$/g, '')}`);
    const expected = Object.keys(offences).map((rule) => `src/${rule}.ts ${rule}`);
    expect(caught.toSorted()).toEqual([...expected, 'src/hen.ts no-cycle'].toSorted());
    expect(status).not.toBe(0);
  });
});

describe('dead code', () => {
  const looked = ['--include', 'files,exports'];

  test('a sound project passes', () =>
    expect(script('deadcode', scratch(sound), ...looked)).toMatchObject({ status: 0 }));

  test('a file and an export without a user are caught', () => {
    const folder = scratch({
      ...sound,
      'src/forgotten.ts': 'export const forgotten = 1;\n',
      'src/greet.ts': `${sound['src/greet.ts']}export const unsaid = 1;\n`,
    });
    const { status, output } = script('deadcode', folder, ...looked);
    expect(status).not.toBe(0);
    expect(output).toContain('src/forgotten.ts');
    expect(output).toContain('unsaid');
  });
});

describe('package', () => {
  test('a sound project packs into something strangers can import', () => {
    const { ok, report } = checkPackage(scratch(sound));
    expect(report).toContain('All good!');
    expect(ok).toBe(true);
  });

  test('a promised file that is not packed is caught', () => {
    const { 'package.json': text = '', ...others } = sound;
    const manifest = JSON.parse(text);
    const exports = { ...manifest.exports, './gone.json': './dist/gone.json' };
    const { ok, report } = checkPackage(
      scratch({ ...others, 'package.json': JSON.stringify({ ...manifest, exports }) }),
    );
    expect(report).toContain('pkg.exports["./gone.json"]');
    expect(ok).toBe(false);
  });

  test('a promised module without a source is not built', () => {
    const { 'src/hosts/xstate/index.ts': _missing, ...without } = sound;
    const { ok, report } = checkPackage(scratch(without));
    expect(report).toContain('src/hosts/xstate/index.ts');
    expect(ok).toBe(false);
  });

  test('types that resolve to no file are caught, although every promised file is there', () => {
    const { ok, report } = checkPackage(
      scratch({
        'package.json': JSON.stringify({
          name: 'adrift',
          version: '1.0.0',
          license: 'MIT',
          type: 'module',
          files: ['dist'],
          exports: { types: './dist/index.d.ts', default: './dist/index.js' },
        }),
        'dist/index.d.ts': "export * from './nowhere.js';\n",
        'dist/index.js': 'export const here = 1;\n',
      }),
    );
    expect(report).toContain('All good!');
    expect(report).toContain('InternalResolutionError');
    expect(ok).toBe(false);
  });
});

import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root, run } from '../repository/tool.ts';

/** An installed program that does nothing, and the home and the folder of temporary files of who calls it. */
function given() {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'loopfold');
  for (const file of ['bin.mjs', 'compile-cache.mjs'])
    cpSync(join(root, 'src', 'cli', file), join(program, 'src', 'cli', file));
  mkdirSync(join(program, 'dist', 'src', 'cli'), { recursive: true });
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(program, 'dist', 'src', 'cli', 'main.js'), "console.log('called');\n");
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const made of [home, temporary]) mkdirSync(made, { mode: 0o755 });
  return { program, home, temporary, kept: join(home, '.cache', 'loopfold', 'compiled') };
}

function call({ program, home, temporary }: ReturnType<typeof given>, more: NodeJS.ProcessEnv = {}) {
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary, ...more };
  const ended = run(process.execPath, [join(program, 'src', 'cli', 'bin.mjs')], program, env);
  // Whatever becomes of the cache, the program says what it says.
  expect(ended).toMatchObject({ status: 0, output: 'called\n' });
}

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
        one.isFile() ? [join(one.parentPath, one.name)] : [],
      )
    : [];

test('compiled code is kept in a folder of the user alone, and none of it among temporary files', () => {
  const place = given();
  call(place);
  expect(filesIn(place.kept)).not.toEqual([]);
  for (const folder of [place.kept, join(place.kept, '..'), join(place.home, '.cache')])
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(filesIn(place.temporary)).toEqual([]);
});

test('XDG_CACHE_HOME names another folder, unless it is relative', () => {
  const place = given();
  const caches = join(place.home, 'caches');
  call(place, { XDG_CACHE_HOME: caches });
  expect(filesIn(caches)).not.toEqual([]);
  expect(filesIn(join(place.home, '.cache'))).toEqual([]);
  call(place, { XDG_CACHE_HOME: 'caches' });
  expect(filesIn(place.kept)).not.toEqual([]);
});

test('NODE_COMPILE_CACHE wins over the cache folder of the user', () => {
  const place = given();
  const chosen = join(place.home, 'chosen');
  call(place, { NODE_COMPILE_CACHE: chosen });
  expect(filesIn(chosen)).not.toEqual([]);
  expect(filesIn(join(place.home, '.cache'))).toEqual([]);
});

type Place = ReturnType<typeof given>;
const made = (place: Place, mode: number): string => {
  mkdirSync(place.kept, { recursive: true });
  chmodSync(place.kept, mode);
  return place.kept;
};

describe('nothing is kept, and nothing is said, where', () => {
  const cases: readonly (readonly [string, (place: Place) => void])[] = [
    ['others may write into the folder', (place) => void made(place, 0o777)],
    ['a group may', (place) => void made(place, 0o770)],
    ['others may add files to the folder, as to that of temporary files', (place) => void made(place, 0o1777)],
    [
      'others may replace a folder above it',
      (place) => {
        made(place, 0o700);
        chmodSync(place.home, 0o777);
      },
    ],
    [
      'it is a link to a folder that others may write into',
      ({ kept, temporary }) => {
        mkdirSync(join(kept, '..'), { recursive: true });
        chmodSync(temporary, 0o777);
        symlinkSync(temporary, kept);
      },
    ],
    ['it is a file', ({ kept }) => (mkdirSync(join(kept, '..'), { recursive: true }), writeFileSync(kept, ''))],
    ['the home is a folder that is not there', ({ home }) => rmSync(home, { recursive: true })],
  ];
  test.each(cases)('%s', (_where, prepare) => {
    const place = given();
    prepare(place);
    const before = filesIn(join(place.home, '..'));
    call(place);
    expect(filesIn(join(place.home, '..'))).toEqual(before);
  });

  // Only the superuser can give a folder away.
  test.skipIf(process.getuid?.() !== 0)('another user owns the folder', () => {
    const place = given();
    chownSync(made(place, 0o755), 12_345, 12_345);
    call(place);
    expect(filesIn(place.kept)).toEqual([]);
  });
});

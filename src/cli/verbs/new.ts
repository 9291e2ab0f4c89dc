import { mkdir, stat, writeFile, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { loopNameOf } from '../../kernel/loop-definition.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import type { Session } from '../session.ts';
import { packageFolder } from '../../log/package.ts';

/** The example of the guide, which tests compile and prove: a new loop starts as a copy of it. */
const EXAMPLE = ['docs', 'examples', 'own-loop'];
const EXAMPLE_NAME = 'reviewed';
/** Files about hosting the example are not copied. */
const OF_EXAMPLE_ALONE = '.host.test.ts';
/** The proofs of the example, which our tests take, and of a new loop, which no test runner takes by its name. */
const PROOFS = { ofExample: '.test.ts', ofLoop: '.proof.ts' } as const;

/** Letters, digits and dashes, as a name in a log, of a folder and in code. */
export const LOOP_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * The files of a new loop, by name: those of the example under another name, with proofs for the test runner of Node.
 * Those need the package beside them, so that the project's own tests must not take them.
 */
export async function loopFiles(name: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(packageFolder() ?? '.', ...EXAMPLE);
  const names = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith(OF_EXAMPLE_ALONE));
  const files = names.map(async (file) => {
    const text = await readFile(join(folder, file), 'utf8');
    return [file.replace(EXAMPLE_NAME, name).replace(PROOFS.ofExample, PROOFS.ofLoop), renamed(text, name)] as const;
  });
  return new Map(await Promise.all(files));
}

/**
 * Replaces the example's name where it names a machine, types, modules and runs; in comments it stays.
 */
function renamed(text: string, name: string): string {
  const words = name.split('-');
  const [first = '', ...others] = words;
  const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const pascal = words.map(capital).join('');
  const camel = [first, ...others.map(capital)].join('');
  return text
    .replaceAll(/\bReviewed(?=Event\b|Context\b)/g, pascal)
    .replaceAll(/(?<=machine: |const |\{ )reviewed\b/g, `${camel}Machine`)
    .replaceAll(/(?<='#|'\.\/|')reviewed(?=[.@'])/g, name)
    .replaceAll("from 'vitest'", "from 'node:test'");
}

const WHAT = 'loop';
/** Names that the template uses for something else, and those of folders that test runners look into. */
const TAKEN: readonly string[] = ['any', 'recorded', 'test', 'tests'];

/** Writes the folder of a new loop, which runs as it is and passes its proofs. */
export async function newOne(session: Session, what: string, name: string): Promise<number> {
  const { out, err } = session.streams;
  if (what !== WHAT) throw usage('WHAT', WHAT, `'${what}'`, ['new', '--help']);
  await assertName(session, name);
  const folder = join(session.directory, name);
  if (await stat(folder).catch(() => null))
    throw usage('NAME', `a folder that is not there yet: ${folder} is`, `'${name}'`);
  const files = await loopFiles(name);
  try {
    await mkdir(folder, { recursive: true });
    for (const [file, text] of files) await writeFile(join(folder, file), text, { flag: 'wx' });
  } catch (error) {
    throw new Complaint(
      EXIT.environment,
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      null,
      { cause: error },
    );
  }
  const path = (file: string) => `./${relative(process.cwd(), join(folder, `${name}.${file}.ts`))}`;
  for (const file of [...files.keys()].toSorted()) out.line(relative(process.cwd(), join(folder, file)));
  const next = [
    session.again(['run', '--loop', path('loop'), 'Say what is to be done']),
    // The loop runs without the package beside it, its proofs do not.
    ...(hasProofs(folder) ? [] : ['npm install --save-dev loopfold']),
    `node --test ${path('proof')}`,
  ];
  for (const command of next) err.line(`${err.colours.dim('next')}  ${command}`);
  return EXIT.success;
}

/** Whether a module in a folder finds what its proofs import. */
function hasProofs(folder: string): boolean {
  try {
    createRequire(join(folder, 'any.js')).resolve('loopfold/testing');
    return true;
  } catch {
    return false;
  }
}

async function assertName(session: Session, name: string): Promise<void> {
  if (!LOOP_NAME.test(name))
    throw usage('NAME', 'lower-case letters, digits and single dashes, such as my-loop', `'${name}'`);
  const shipped = (await session.knownLoops()).map(({ id }) => loopNameOf(id));
  const taken = [...shipped, ...TAKEN];
  if (taken.includes(name)) throw usage('NAME', `a name of its own: ${taken.join(', ')} are taken`, `'${name}'`);
}

import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { loopNameOf } from '../../kernel/loop-definition.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { LOOP_NAME, loopFiles } from './loop-template.ts';
import type { Session } from '../session.ts';

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

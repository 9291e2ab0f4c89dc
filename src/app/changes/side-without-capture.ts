import { git } from '../../git/process/git.ts';
import { type KnownRun, type NoCapture, none, type Side } from './run-sides.ts';

/** Of states of a run the first whose files git has no more. Null: it has all of them. Throws a `GitError`. */
export async function goneSide(sides: readonly Side[], known: KnownRun): Promise<NoCapture | null> {
  const input = new TextEncoder().encode(sides.map(({ tree }) => `${tree}\n`).join(''));
  const said = new TextDecoder().decode(await git(['cat-file', '--batch-check'], { ...known.call, input }));
  const lines = said.split('\n');
  const side = sides.find((_side, index) => !lines[index]?.includes(' tree '));
  if (!side) return null;
  return none(
    known,
    `git has the files of ${side.name} no more: gc removes captures between start and end of runs that ended long ago. ` +
      'Its start and its end are there',
  );
}

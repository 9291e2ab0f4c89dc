import { expect, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { subjectOf } from '../../../src/app/proof/proof-subject.ts';
import { repository } from '../../git/repository.ts';
import { logOf, readHistory } from '../../histories/history.ts';

const recorded = readHistory(new URL('../../histories/turn-success.jsonl', import.meta.url));

/** The history of an early version, as if it had been recorded in this folder. */
function recordedIn(directory: string) {
  const [first, ...rest] = recorded.lines;
  const { settings, ...payload } = Object(first?.payload);
  const moved = { ...payload, settings: { ...settings, directory } };
  return { runs: recorded.runs, lines: first ? [{ ...first, payload: moved }, ...rest] : [] };
}

test('B5 diff, undo and prove of a run that an early version recorded say that it kept no captures', async () => {
  const { root, commit } = await repository({ 'a.txt': '1' });
  await commit();
  const loops = new Loops({ log: await logOf(recordedIn(root)) });
  const { run } = recorded.runs[0] ?? { run: '' };
  const subject = await subjectOf(loops, run);
  for (const found of [await loops.diff(run), await loops.undo(run), subject]) {
    expect(found).toEqual({
      kind: 'no_capture',
      run,
      message: 'it was recorded before loopfold kept captures of starts and of ends',
    });
  }
});

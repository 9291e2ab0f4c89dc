import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DetectorChoice } from '../../../machines/settings.ts';
import { countingResults, fromDefault } from '../../detectors/complete-choice.ts';
import { DEFAULT_DETECTORS } from '../../detectors/profile.ts';
import { detectorFaults, scoreStories } from '../../app/judging/run-lab.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { readStory, type Story } from '../../redecide/story.ts';
import { asJson } from '../pages/as-json.ts';
import { usage } from '../pages/complaint.ts';
import { changesOf, type JudgeFlags } from '../args/run-flags.ts';
import type { Session } from '../session.ts';
import { detectorRows, mistakes, togetherRows } from '../pages/lab-table.ts';
import { columns } from '../pages/table.ts';

interface Flags extends JudgeFlags {
  readonly corpus: string;
  readonly json?: boolean;
}

/** Measures the precision and recall of each detector on a corpus of labelled stories. */
export async function lab(session: Session, { corpus, json, detectors }: Flags): Promise<number> {
  const { out, err } = session.streams;
  const { changes, faults } = changesOf(detectors === undefined ? {} : { detectors });
  const choices = chosenIn(changes.detectors);
  const wrong = [...faults, ...detectorFaults(choices)];
  if (wrong.length > 0) throw new OptionsError(wrong);
  const stories = await storiesIn(resolve(session.directory, corpus));
  const scores = await scoreStories(stories, choices);
  if (json) out.line(asJson(scores, 2));
  else {
    for (const line of columns(detectorRows(scores))) out.line(line);
    const together = togetherRows(scores);
    if (together.length > 1) for (const line of ['', ...columns(together)]) out.line(line);
    for (const line of scores.flatMap(mistakes)) err.line(line);
  }
  return 0;
}

/** As the runs of agents have them: results count. */
function chosenIn(given: unknown): readonly DetectorChoice[] {
  return countingResults(Array.isArray(given) ? fromDefault(given) : DEFAULT_DETECTORS);
}

async function storiesIn(folder: string): Promise<readonly Story[]> {
  const names = await readdir(folder).catch(() => null);
  const files = names?.filter((name) => name.endsWith('.jsonl')).toSorted() ?? [];
  if (files.length === 0) throw usage('--corpus', 'a folder with stories in .jsonl files', `'${folder}'`);
  const read = await Promise.all(
    files.map(async (name) => {
      const lines = (await readFile(join(folder, name), 'utf8')).trim().split('\n');
      return lines.map((line, index) => storyIn(line, `${name}:${index + 1}`));
    }),
  );
  return read.flat();
}

function storyIn(line: string, place: string): Story {
  const read = readStory(line);
  if (read.kind === 'story') return read.story;
  throw usage('--corpus', `a story at ${place}`, read.because);
}

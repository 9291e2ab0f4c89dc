import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { expect } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { roundLines } from '../../../src/cli/pages/page-sections.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { ralphLoop } from '../../../src/loops/ralph/definition.ts';
import { readSummary } from '../../../src/projections/read-summary.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';

const FILE = '.claude/ralph-loop.local.md';
const WORDS = ['clock', 'river', 'stone', 'cloud', 'apple', 'north', 'paper', 'green'];

interface Edit {
  readonly about: string;
  /** In which attempt a person edits the file, from 1. */
  readonly during: number;
  readonly set: Readonly<Record<string, number>>;
  readonly ceiling?: number;
  /** What people are told while the loop goes on: iteration/maximum. */
  readonly told: readonly string[];
  readonly rows: readonly string[];
}

const EDITS: readonly Edit[] = [
  { about: 'no edit', during: 1, set: {}, told: ['1/3', '2/3', '3/3', '3/3'], rows: ['1/3', '2/3', '3/3'] },
  { about: 'past the maximum', during: 1, set: { iteration: 99 }, told: ['1/3', '99/3'], rows: ['99/3'] },
  { about: 'a later one', during: 1, set: { iteration: 2 }, told: ['1/3', '3/3', '3/3'], rows: ['2/3', '3/3'] },
  {
    about: 'an earlier one',
    during: 2,
    set: { iteration: 1 },
    told: ['1/3', '2/3', '2/3', '3/3', '3/3'],
    rows: ['1/3', '1/3', '2/3', '3/3'],
  },
  {
    about: 'another maximum',
    during: 1,
    set: { max_iterations: 2 },
    told: ['1/3', '2/2', '2/2'],
    rows: ['1/2', '2/2'],
  },
  {
    about: 'both',
    during: 1,
    set: { iteration: 3, max_iterations: 4 },
    told: ['1/3', '4/4', '4/4'],
    rows: ['3/4', '4/4'],
  },
  {
    about: 'no maximum but the ceiling',
    during: 1,
    set: { iteration: 2, max_iterations: 0 },
    ceiling: 3,
    told: ['1/3', '3/4', '4/4', '4/4'],
    rows: ['2/4', '3/4', '4/4'],
  },
];

testInTurn.each(EDITS)(
  'R4 R6 after an edit of the iteration ($about) all that people read has the numbers of the file',
  async (edit) => {
    // Given a person who edits the file while an attempt works
    const { root, commit } = await repository({ 'a.txt': 'a' });
    await commit();
    const inner = scriptedModel({ attempts: WORDS.map((word) => ({ answers: [{ text: `${word} `.repeat(9) }] })) });
    let attempts = 0;
    const model = {
      ...inner,
      answer: (...asked: Parameters<typeof inner.answer>) => {
        attempts += 1;
        // Attempts that change nothing would end the loop before its maximum.
        writeFileSync(join(root, `${attempts}.txt`), 'work');
        if (attempts === edit.during) edits(join(root, FILE), edit.set);
        return inner.answer(...asked);
      },
    };
    const log = memoryLog();
    const loops = new Loops({
      log,
      model,
      ...(edit.ceiling === undefined ? {} : { ceilings: { iterations: edit.ceiling } }),
    });
    // When the loop runs to its maximum
    const live = await loops.start({
      prompt: 'Count.',
      loop: 'ralph',
      directory: root,
      labels: ['ralph-wiggum-3'],
      tools: ['read'],
    });
    const activities = await lastValueFrom(live.activities.pipe(toArray()));
    const end = await live.done;
    // Then the activities, which are the webhooks', count as the file does
    expect(activities.map(({ iteration, maxIterations }) => `${iteration}/${maxIterations}`)).toEqual(edit.told);
    expect(activities.at(-1)?.status).toBe('max_iterations');
    // And so do the reason, in the log and in the file, and the page of the run
    const last = edit.rows.at(-1) ?? '';
    expect(activities.at(-1)?.reason).toContain(`iteration limit reached (${last})`);
    expect(readFileSync(join(root, FILE), 'utf8')).toContain(`iteration limit reached (${last})`);
    expect(end).toMatchObject({ outcome: { ending: 'cap_hit', limit: { name: 'iterations' } } });
    const summary = await readSummary(log, live.run, [ralphLoop]);
    const rows = summary ? roundLines(summary, ralphLoop) : [];
    expect(rows.flatMap((line) => /^ +(\d+\/\d+) /.exec(line)?.[1] ?? [])).toEqual(edit.rows);
  },
);

function edits(path: string, set: Edit['set']): void {
  const before = readFileSync(path, 'utf8');
  const after = Object.entries(set).reduce(
    (text, [key, value]) => text.replace(new RegExp(`^${key}: .*$`, 'm'), `${key}: ${value}`),
    before,
  );
  writeFileSync(path, after);
}

import type { EventOf } from '../../../../machines/events.ts';
import type { Block, Cell } from '../../../kernel/report-page.ts';
import { changes } from '../../../projections/phrases.ts';
import type { Experiment } from './experiments.ts';
import type { ToldRun } from './told-run.ts';

const SHORT_COMMIT = 10;

type Kept = Experiment & { readonly kept: EventOf<'integration.completed'>['payload'] };

const isKept = (experiment: Experiment): experiment is Kept => experiment.kept !== null;

/** What was kept: each change with its commit and its grade. */
export function keptBlocks({ experiments, options }: ToldRun): readonly Block[] {
  const kept = experiments.tried.filter(isKept);
  const heading: Block = { kind: 'heading', text: 'What was kept' };
  if (kept.length === 0) return [heading, { kind: 'text', text: 'Nothing was kept.' }];
  const isOpened = kept.some((one) => one.kept.opened !== undefined);
  return [
    heading,
    {
      kind: 'table',
      columns: [
        { name: 'iteration', isNumber: true },
        { name: 'change' },
        { name: 'found by' },
        { name: 'grade' },
        { name: 'commit' },
        { name: 'branch' },
        { name: 'files' },
        ...(isOpened ? [{ name: 'pull request' }] : []),
      ],
      rows: kept.map((one) => [
        `${one.iteration}`,
        one.discovery.title,
        one.discovery.source,
        gradeCell(one, options.phases.evaluate.enabled),
        { text: one.kept.commit.slice(0, SHORT_COMMIT), code: true },
        { text: one.kept.branch, code: true },
        changes(one.built?.changed ?? []) ?? '-',
        ...(isOpened ? [one.kept.opened ?? '-'] : []),
      ]),
    },
    ...kept.flatMap(patchOf),
  ];
}

function gradeCell({ grade }: Experiment, isEvaluated: boolean): Cell {
  if (!isEvaluated) return { text: 'weak', tone: 'bad' };
  if (grade === null) return { text: 'no checks', tone: 'bad' };
  return { text: grade, tone: grade === 'weak' ? 'bad' : 'good' };
}

function patchOf({ discovery, kept, built }: Kept): readonly Block[] {
  if (!built) return [];
  const command = `git show ${kept.commit.slice(0, SHORT_COMMIT)}`;
  return [{ kind: 'patch', title: discovery.title, command, id: built.modification }];
}

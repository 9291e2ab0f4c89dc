import type { Block, Cell } from '../../../kernel/report-page.ts';
import { changes } from '../../../projections/phrases.ts';
import { head } from '../../../text/excerpt.ts';
import type { ImprovementNight } from './improvement-night.ts';
import type { KeptChange } from './night-candidates.ts';
import { WITNESS_NAMES } from './witness-text.ts';

export const SHORT_COMMIT = 10;
const MAX_REASON_CHARS = 300;

const LEGEND =
  'The witness of a change was named before the work: it shows the problem without the change, and must not show it ' +
  'with the change. The grade witnessed says that this is so; not regressed says that nothing was lost and that a ' +
  'person approved the change, but nothing shows that it is done.';

const GOOD: ReadonlySet<KeptChange['grade']> = new Set(['witnessed', 'verified'] as const);

/** What was kept: each change with its witness, its grade and its commit. */
export function keptBlocks({ kept }: ImprovementNight): readonly Block[] {
  const heading: Block = { kind: 'heading', text: 'What was kept' };
  if (kept.length === 0) return [heading, { kind: 'text', text: 'Nothing was kept.' }];
  const isOpened = kept.some(({ pullRequest }) => pullRequest !== undefined);
  return [
    heading,
    ...(kept.some(({ witness }) => witness) ? [{ kind: 'text', text: LEGEND } as const] : []),
    {
      kind: 'table',
      columns: [
        { name: 'iteration', isNumber: true },
        { name: 'change' },
        { name: 'found by' },
        { name: 'witness' },
        { name: 'grade' },
        { name: 'commit' },
        { name: 'branch' },
        { name: 'files' },
        ...(isOpened ? [{ name: 'pull request' }] : []),
      ],
      rows: kept.map((one) => [
        `${one.iteration}`,
        one.finding.title,
        one.finding.source,
        witnessText(one),
        gradeCell(one),
        [{ code: one.commit.slice(0, SHORT_COMMIT) }],
        [{ code: one.branch }],
        changes(one.files) ?? '-',
        ...(isOpened ? [one.pullRequest ?? '-'] : []),
      ]),
    },
    ...kept.flatMap(patchOf),
  ];
}

/** Some witnesses are what was found, in the same words. */
function witnessText({ witness, finding }: KeptChange): string {
  if (!witness) return '-';
  const { kind, text } = witness;
  return text === finding.title ? WITNESS_NAMES[kind] : `${WITNESS_NAMES[kind]}: ${head(text, MAX_REASON_CHARS)}`;
}

function gradeCell({ grade, because }: KeptChange): Cell {
  const why = because === null ? '' : `: ${head(because, MAX_REASON_CHARS)}`;
  return { text: `${grade ?? 'no checks'}${why}`, tone: GOOD.has(grade) ? 'good' : 'bad' };
}

function patchOf({ finding, commit, change }: KeptChange): readonly Block[] {
  if (change === null) return [];
  const command = `git show ${commit.slice(0, SHORT_COMMIT)}`;
  return [{ kind: 'patch', title: finding.title, command, id: change }];
}

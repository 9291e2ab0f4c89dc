import type { Block } from '../../../kernel/report-page.ts';
import { changes } from '../../../projections/phrases.ts';
import { head } from '../../../text/excerpt.ts';
import type { ImprovementNight } from './improvement-night.ts';
import { SHORT_COMMIT } from './keep-section.ts';
import type { UnshownChange } from './night-candidates.ts';

const MAX_REASON_CHARS = 600;

/** Changes of which nothing shows that they are done, each with the command that shows it. */
export function unshownBlocks({ notShown }: ImprovementNight): readonly Block[] {
  if (notShown.length === 0) return [];
  return [
    { kind: 'heading', text: 'What is not shown' },
    {
      kind: 'text',
      text: [
        'Nothing was lost with these changes, and nothing shows that they are done: they are not kept, and wait on ' +
          'branches of their own for a person to decide. ',
        { code: 'git switch BRANCH' },
        ' tries one, ',
        { code: 'git cherry-pick BRANCH' },
        ' takes it.',
      ],
    },
    {
      kind: 'table',
      columns: [
        { name: 'iteration', isNumber: true },
        { name: 'change' },
        { name: 'found by' },
        { name: 'why it is not shown' },
        { name: 'branch' },
        { name: 'files' },
      ],
      rows: notShown.map(({ iteration, finding, because, branch, files }) => [
        `${iteration}`,
        finding.title,
        finding.source,
        head(because, MAX_REASON_CHARS),
        branch === null ? { text: 'none', tone: 'bad' } : [{ code: branch }],
        changes(files) ?? '-',
      ]),
    },
    ...notShown.flatMap(patchOf),
  ];
}

function patchOf({ finding, commit, change }: UnshownChange): readonly Block[] {
  if (commit === null || change === null) return [];
  const short = commit.slice(0, SHORT_COMMIT);
  return [{ kind: 'patch', title: finding.title, command: `git diff ${short}~ ${short}`, id: change }];
}

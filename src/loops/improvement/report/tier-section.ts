import type { Block, Text } from '../../../kernel/report-page.ts';
import { span } from '../../../projections/phrases.ts';
import type { ImprovementNight } from './improvement-night.ts';

const LEGEND: Text = [
  'Tiers are the tests of a change, up to the first that refuses it: ',
  { code: 'ended' },
  ' asks how its experiment ended, ',
  { code: 'witness' },
  ' whether anything shows that it is done.',
];

/** Which tier of the evaluation caught what. */
export function tierBlocks({ tiers }: ImprovementNight): readonly Block[] {
  if (tiers.length === 0) return [];
  return [
    { kind: 'heading', text: 'Which tier caught what' },
    { kind: 'text', text: LEGEND },
    {
      kind: 'table',
      columns: [
        { name: 'tier' },
        { name: 'passed', isNumber: true },
        { name: 'refused', isNumber: true },
        { name: 'caught' },
        { name: 'flickered' },
        { name: 'took', isNumber: true },
      ],
      rows: tiers.map(({ tier, passed, refused, flickered, durationMs }) => [
        tier,
        `${passed}`,
        { text: `${refused.length}`, ...(refused.length > 0 ? { tone: 'bad' as const } : {}) },
        refused.map(({ title }) => title).join('; ') || '-',
        flickered.join(', ') || '-',
        span(durationMs),
      ]),
    },
  ];
}

import type { Block, Cell } from '../../../kernel/report-page.ts';
import { amount, grouped } from '../../../text/money.ts';
import { lowerMinimum } from '../last-look.ts';
import type { ImprovementNight } from './improvement-night.ts';
import type { SourceRecord } from './source-records.ts';

/** Where findings came from, which sources failed, and how many findings were not relevant enough. */
export function sourceBlocks(night: ImprovementNight): readonly Block[] {
  const { sources, faults } = night;
  if (sources.length === 0) return [];
  return [
    { kind: 'heading', text: 'Where it came from' },
    {
      kind: 'table',
      columns: [
        { name: 'source' },
        { name: 'found', isNumber: true },
        { name: 'tried', isNumber: true },
        { name: 'kept', isNumber: true },
        { name: 'failed' },
      ],
      rows: sources.map((one) => [one.source, `${one.found}`, `${one.tried}`, `${one.kept}`, faultCell(one)]),
    },
    ...belowMinimum(night),
    ...faults.map(({ iteration, phase, fault }): Block => ({
      kind: 'text',
      text: `Iteration ${iteration}: the ${phase === 'filter' ? 'scores of the filter' : 'plans'} failed: ${fault}`,
    })),
  ];
}

function faultCell({ fault, failures }: SourceRecord): Cell {
  if (fault === null) return '-';
  return { text: failures === 1 ? fault : `${amount(failures, 'time')}: ${fault}`, tone: 'bad' };
}

/** The same finding is found again in the next iteration, so the last search says how many there are. */
function belowMinimum({ lastSearch, options }: ImprovementNight): readonly Block[] {
  if (!lastSearch) return [];
  const { iteration, belowMinimum: below, best, beyond } = lastSearch;
  const again = { code: `improve ${lowerMinimum({ best }).join(' ')}` };
  const waiting = beyond === 0 ? '' : ` ${grouped(beyond)} more were relevant enough, and too many for one iteration.`;
  return [
    {
      kind: 'text',
      text: [
        `The minimum of relevance, ${options.minRelevanceScore}, refused ${amount(below, 'finding')} in iteration ` +
          `${iteration}, the last that searched.`,
        ...(below === 0 ? [] : [' ', again, ` tries ${below === 1 ? 'it' : 'them'}.`]),
        waiting,
      ],
    },
  ];
}

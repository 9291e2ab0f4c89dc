import type { Block, Cell } from '../../../kernel/report-page.ts';
import { amount, grouped } from '../../../text/amount.ts';
import { type LastLook, lowerMinimum } from '../last-look.ts';
import type { ToldRun } from './told-run.ts';

/** Where findings came from, which sources failed, and how many findings were not relevant enough. */
export function sourceBlocks({ experiments, findings, look, options }: ToldRun): readonly Block[] {
  const sources = findings.sources();
  if (sources.length === 0) return [];
  const triedOf = (source: string) => experiments.tried.filter(({ discovery }) => discovery.source === source);
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
      rows: sources.map(({ source, found, faults, fault }) => [
        source,
        `${found.size}`,
        `${triedOf(source).length}`,
        `${triedOf(source).filter(({ kept }) => kept).length}`,
        faultCell(fault, faults),
      ]),
    },
    ...refusedText(findings.iterations.at(-1), look, options.phases.filter.minRelevanceScore),
    ...findings.faults.map(({ iteration, what, fault }): Block => ({
      kind: 'text',
      text: `Iteration ${iteration}: the ${what === 'filter' ? 'scores of the filter' : 'plans'} failed: ${fault}`,
    })),
  ];
}

const faultCell = (fault: string | null, faults: number): Cell =>
  fault === null ? '-' : { text: faults === 1 ? fault : `${amount(faults, 'time')}: ${fault}`, tone: 'bad' };

/** The same finding is found again in the next iteration, so the newest says how many there are. */
function refusedText(
  newest: ToldRun['findings']['iterations'][number] | undefined,
  look: LastLook,
  minimum: number,
): readonly Block[] {
  if (!newest) return [];
  const { iteration, refused, beyond } = newest;
  const waiting = beyond === 0 ? '' : ` ${grouped(beyond)} more were relevant enough, and too many for one iteration.`;
  const tried =
    refused === 0 ? '' : ` \`improve ${lowerMinimum(look).join(' ')}\` tries ${refused === 1 ? 'it' : 'them'}.`;
  return [
    {
      kind: 'text',
      text:
        `The minimum of relevance, ${minimum}, refused ${amount(refused, 'finding')} in iteration ${iteration}, ` +
        `the last that searched.${tried}${waiting}`,
    },
  ];
}

import type { EventOf } from '../../../machines/events.ts';
import type { Discovery, DiscoverySource } from '../../../machines/improvement-facts.ts';
import type { ImprovementOptions } from '../../../machines/improvement-options.ts';
import { amount } from '../../text/money.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';

type Found = EventOf<'discovery.completed'>['payload'];

/** What the newest discovery and its filter came to, folded from the facts of a run. */
export class LastLook {
  sources: Found['sources'] = [];
  /** Of them, what the filter let pass. */
  passed = 0;
  /** Below the minimum of relevance. */
  refused = 0;
  /** Found again: tried before in this run. */
  known = 0;
  /** The highest score below the minimum. Null: nothing was refused, or a model gave scores, which are not recorded. */
  best: number | null = null;
  #found: readonly Discovery[] = [];

  observe({ type, payload }: Fact): void {
    if (type === 'discovery.completed') {
      this.sources = payload.sources;
      this.known = payload.known;
      this.#found = payload.discoveries;
      this.passed = 0;
      this.refused = 0;
      this.best = null;
    }
    if (type !== 'filter.completed') return;
    const { candidates, refused, beyond, usage, fault } = payload;
    this.passed = candidates.length + beyond;
    this.refused = refused;
    const byRules = usage === undefined || fault !== undefined;
    // By rule, the order is that of the discoveries: the first that was refused follows the last that passed.
    this.best = byRules && refused > 0 ? (this.#found[this.passed]?.relevanceScore ?? null) : null;
  }
}

/** What a user can look at besides, by flags of `improve`. */
export const MORE_SOURCES = { items: ['--items', 'FILE'], ideas: ['--ideas'] } as const;

/** The flag that lowers the minimum of relevance so far that what was refused is tried. */
export const lowerMinimum = ({ best }: Pick<LastLook, 'best'>): readonly [flag: string, value: string] => [
  '--min-relevance',
  best === null ? 'SCORE' : `${best}`,
];

/**
 * Why there is nothing to try, and what a user can do about it. Null: there is something.
 *
 * @example
 * whyNothing(memory.look, memory.options); // 'nothing to improve was found by failing-tests, todos; …'
 */
export function whyNothing(look: LastLook, { phases }: Pick<ImprovementOptions, 'phases'>): string | null {
  if (look.passed > 0) return null;
  if (look.refused > 0) return belowText(look, phases.filter.minRelevanceScore);
  if (look.known > 0)
    return `everything that was found has been tried (${amount(look.known, 'finding')})${moreText(look)}`;
  const failed = look.sources.filter(({ fault }) => fault).map(({ source }) => source);
  const asked = look.sources
    .filter(({ source, fault }) => !fault && hasInput(source, phases))
    .map(({ source }) => source);
  const faults = failed.length === 0 ? '' : `; could not be read: ${failed.join(', ')}`;
  const by = asked.length === 0 ? '' : ` by ${asked.join(', ')}`;
  return `nothing to improve was found${by}${faults}${moreText(look)}`;
}

/** Whether there is anything that a source could read. */
function hasInput(source: DiscoverySource, { discovery, evaluate }: ImprovementOptions['phases']): boolean {
  switch (source) {
    case 'coverage':
      return discovery.lcov !== null;
    case 'logs':
      return discovery.logs.length > 0;
    case 'benchmarks':
      return evaluate.benchmarks.some(({ target }) => target !== undefined);
    default:
      return true;
  }
}

/** What is below the minimum, and the setting that has it tried. */
function belowText(look: Pick<LastLook, 'refused' | 'best'>, minimum: number): string {
  const best = look.best === null ? '' : `, the most relevant of them at ${look.best}`;
  const are = look.refused === 1 ? 'is' : 'are';
  return (
    `${amount(look.refused, 'finding')} ${are} below the minimum of relevance, ${minimum}${best}: ` +
    `${lowerMinimum(look).join(' ')} tries ${look.refused === 1 ? 'it' : 'them'}`
  );
}

function moreText({ sources }: LastLook): string {
  const more = unasked(sources).map((source) => MORE_SOURCES[source].join(' '));
  return more.length === 0 ? '' : `; more to look at: ${more.join(', ')}`;
}

/** Sources that a flag adds, and that were not asked. */
export const unasked = (asked: LastLook['sources']): readonly (keyof typeof MORE_SOURCES)[] =>
  (Object.keys(MORE_SOURCES) as (keyof typeof MORE_SOURCES)[]).filter(
    (one: DiscoverySource) => !asked.some(({ source }) => source === one),
  );

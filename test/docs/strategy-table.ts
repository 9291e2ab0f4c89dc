import { z } from 'zod';
import type { StrategyKind, StrategyText } from '../../src/strategies/strategy-kind.ts';
import { builtInStrategies } from '../../src/strategies/registry.ts';

/** The rows of the comparison, and the member of a strategy's text that fills each. */
const FEATURES: readonly (readonly [string, keyof Omit<StrategyText, 'bestFor'>])[] = [
  ['what it is', 'purpose'],
  ['iterations', 'caps'],
  ['complete when', 'endsWhen'],
  ['stopped when', 'stopsWhen'],
  ['progress', 'progress'],
  ['partial result', 'partial'],
  ['checks', 'checks'],
];

type Described = readonly [name: string, kind: Pick<StrategyKind, 'config' | 'about'>];

/** How the strategies compare, when to choose which, and the config of each: all from the code. */
export function strategySections(): string {
  const kinds = [...builtInStrategies().kinds()];
  return [comparison(kinds), ...choices(kinds), ...kinds.flatMap(configOf)].join('\n\n');
}

function comparison(kinds: readonly Described[]): string {
  const rows = FEATURES.map(([title, word]) => [title, ...kinds.map(([, { about }]) => about?.[word] ?? '')]);
  return table(['', ...kinds.map(([name]) => `\`${name}\``)], rows);
}

const choices = (kinds: readonly Described[]): string[] =>
  kinds.map(([name, { about }]) =>
    [`Choose \`${name}\` when`, ...(about?.bestFor ?? []).map((when) => `- ${when}`)]
      .join('\n')
      .replace('\n-', '\n\n-'),
  );

function configOf([name, { config }]: Described): string[] {
  if (!(config instanceof z.ZodObject) || Object.keys(config.shape).length === 0) return [];
  const rows = Object.entries(config.shape).map(([field, schema]) => [
    `\`${field}\``,
    schema.description ?? '',
    defaultOf(schema),
  ]);
  return [`The config of \`${name}\`:`, table(['key', 'what it is', 'default'], rows)];
}

/** The default of a field; empty for a required one. */
function defaultOf(schema: z.core.$ZodType): string {
  const parsed = z.safeParse(schema, undefined);
  return parsed.success ? `\`${JSON.stringify(parsed.data)}\`` : '';
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

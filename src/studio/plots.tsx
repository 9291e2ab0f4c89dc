import type { JSX } from 'preact';
import type { BlockView } from './view-types.ts';
import { grouped, took } from './words.ts';

type Bars = Extract<BlockView, { kind: 'bars' }>;
type Line = Extract<BlockView, { kind: 'line' }>;

const WIDE = 600;
const TALL = 120;
/** Classes of the parts of a bar, over and over. */
const COLOURS = 5;

/** A bar for each group, its parts one upon the other, with its numbers in words for those who do not see it. */
export function BarsPlot({ bars: { title, unit, group, parts, groups } }: { bars: Bars }): JSX.Element {
  const most = Math.max(1, ...groups.map(({ values }) => sum(values)));
  const wide = WIDE / Math.max(1, groups.length);
  return (
    <figure>
      <figcaption>
        {title} ({unit}){' '}
        {parts.map((part, index) => (
          <span key={part} class={`key part-${index % COLOURS}`}>
            {part}
          </span>
        ))}
      </figcaption>
      <svg viewBox={`0 0 ${WIDE} ${TALL}`} role="img" aria-label={barsWords(group, groups)}>
        {groups.map(({ name, values }, place) => (
          <g key={name}>
            <title>
              {group} {name}: {values.map((value, index) => `${parts[index] ?? ''} ${grouped(value)}`).join(', ')}
            </title>
            {values.map((value, index) => {
              const below = sum(values.slice(0, index));
              return (
                <rect
                  key={index}
                  class={`part-${index % COLOURS}`}
                  x={place * wide + 1}
                  width={Math.max(1, wide - 2)}
                  y={TALL - ((below + value) / most) * TALL}
                  height={(value / most) * TALL}
                />
              );
            })}
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** An amount that grows over time, and stands still between its points. */
export function LinePlot({ line: { title, unit, points } }: { line: Line }): JSX.Element {
  const end = Math.max(1, ...points.map(({ atMs }) => atMs));
  const most = Math.max(1, ...points.map(({ value }) => value));
  const last = points.at(-1);
  const steps = points.map(({ atMs, value }) => `H${(atMs / end) * WIDE}V${TALL - (value / most) * TALL}`);
  const words = last ? `${grouped(last.value)} ${unit} after ${took(last.atMs)}` : `no ${unit}`;
  return (
    <figure>
      <figcaption>
        {title}: {words}
      </figcaption>
      <svg viewBox={`0 -2 ${WIDE} ${TALL + 4}`} role="img" aria-label={`${title}: ${words}`}>
        <path class="grown" d={`M0 ${TALL}${steps.join('')}`} />
      </svg>
    </figure>
  );
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const barsWords = (group: string, groups: Bars['groups']): string =>
  groups.map(({ name, values }) => `${group} ${name}: ${grouped(sum(values))}`).join(', ');

import type { JSX } from 'preact';
import { Badge } from './parts.tsx';
import { runHref } from './page-address.ts';
import { asks, kindOf, mark, marked } from './runs-model.ts';
import type { ListedView } from './view-types.ts';
import { ago, clock, shortId } from './words.ts';

/** A run in the list, with a mark for a comparison. */
export function RunRow({ one, isChosen }: { one: ListedView; isChosen: boolean }): JSX.Element {
  const now = Date.now();
  const waits = one.waitsUntil !== null && Date.parse(one.waitsUntil) > now ? `, until ${clock(one.waitsUntil)}` : '';
  const words = asks(one) ? 'waits for you' : `${one.verdict ?? one.standing.words}${waits}`;
  return (
    <div class={isChosen ? 'line chosen' : 'line'}>
      <label>
        <input
          type="checkbox"
          aria-label={`Compare run ${shortId(one.run)}`}
          checked={marked.value.includes(one.run)}
          onChange={() => mark(one.run)}
        />
      </label>
      <a class="row" href={runHref(one.run)}>
        <Badge kind={kindOf(one)} words={words} asks={one.standing.asks} />
        <span class="task">{one.task}</span>
        <span class="quiet">{one.label ?? one.loop}</span>
        <span class="quiet">{one.costUsd === null ? '' : `$${one.costUsd.toFixed(4)}`}</span>
        <span class="quiet">{ago(one.updatedAt, now)}</span>
        <code>{shortId(one.run)}</code>
      </a>
    </div>
  );
}

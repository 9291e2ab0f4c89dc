import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { runHref } from './page-address.ts';
import type { RunModel } from './run-model.ts';
import type { RunSpan } from './view-types.ts';
import { WindowedList } from './list-window.tsx';
import { clock, shortId, took } from './words.ts';

const ROW_PX = 26;
const WIDE = 1_000;
/** An effect of no time is seen all the same. */
const LEAST = 3;

/** The effects of a run and of all below it on one clock: parallel ones side by side, waits drawn as such. */
export function WaterfallTab({ model }: { model: RunModel }): JSX.Element {
  const spans = model.spans.value;
  const chosen = useSignal<string | null>(null);
  useEffect(() => model.showSpans(), [model]);
  if (spans.length === 0) return <p class="tab">No effect has taken time yet.</p>;
  const begin = Math.min(...spans.map(({ from }) => Date.parse(from)));
  const now = Date.parse(model.view.value?.at ?? '') || begin;
  const end = spans.reduce((last, { from, to }) => Math.max(last, Date.parse(to ?? from)), Math.max(now, begin + 1));
  const placeOf = (at: string | number) => ((Number(new Date(at)) - begin) / (end - begin)) * WIDE;
  const found = spans.find((span) => keyOf(span) === chosen.value);
  return (
    <div class="tab waterfall">
      <p class="quiet">
        {clock(new Date(begin).toISOString())} to {clock(new Date(end).toISOString())}, {took(end - begin)}
      </p>
      <div class="fill">
        <WindowedList
          label="Effects"
          items={spans}
          rowHeight={ROW_PX}
          keyOf={keyOf}
          row={(span) => (
            <button
              type="button"
              class={`span ${keyOf(span) === chosen.value ? 'chosen' : ''}`}
              aria-pressed={keyOf(span) === chosen.value}
              onClick={() => (chosen.value = keyOf(span))}
            >
              <span class="name" style={{ paddingLeft: `${span.depth * 14}px` }}>
                {span.name}
                {span.attempt > 1 ? ` (attempt ${span.attempt})` : ''} <span class="quiet">{span.text}</span>
              </span>
              <svg viewBox={`0 0 ${WIDE} 10`} preserveAspectRatio="none" aria-hidden="true">
                <Bar span={span} place={placeOf} end={end} />
              </svg>
              <span class="quiet">{timeOf(span)}</span>
            </button>
          )}
        />
      </div>
      {found && <Chosen span={found} />}
    </div>
  );
}

const keyOf = ({ run, effect }: RunSpan): string => `${run}/${effect}`;

function Bar({
  span,
  place,
  end,
}: {
  span: RunSpan;
  place: (at: string | number) => number;
  end: number;
}): JSX.Element {
  const from = place(span.from);
  const started = span.startedAt === null ? place(span.to ?? end) : place(span.startedAt);
  const to = place(span.to ?? end);
  const kind = span.failed ? 'failed' : span.kind;
  return (
    <>
      {started - from > 1 && <rect class="queued" x={from} y={3} width={started - from} height={4} />}
      <rect
        class={`bar ${kind} ${span.to === null ? 'open' : ''}`}
        x={started}
        y={1}
        width={Math.max(LEAST, to - started)}
        height={8}
      />
    </>
  );
}

function timeOf({ from, to, startedAt }: RunSpan): string {
  if (to === null) return 'under way';
  return took(Date.parse(to) - Date.parse(startedAt ?? from));
}

const Chosen = ({ span }: { span: RunSpan }): JSX.Element => (
  <section class="selected" aria-label="The chosen effect">
    <h2>
      {span.name} <span class="quiet">{span.effect}</span>
    </h2>
    <p class="quiet">
      {clock(span.from)}
      {span.to === null ? ', under way' : ` to ${clock(span.to)}`}
      {span.kind === 'wait' ? ' · waits for a person' : ''}
      {span.failed ? ' · failed' : ''}
    </p>
    <pre>{span.text}</pre>
    {span.child !== null && <a href={runHref(span.child)}>run {shortId(span.child)}</a>}
  </section>
);

import type { JSX } from 'preact';
import { goAt } from './page-address.ts';
import type { RunModel } from './run-model.ts';
import { clock, grouped, money } from './words.ts';

/** Moves over every version of a run: the state, the path and the cost at that moment. */
export function Scrubber({ model }: { model: RunModel }): JSX.Element {
  const steps = model.steps.value;
  const step = model.step.value;
  const spent = model.spent.value;
  const head = steps.length;
  const at = model.at.value ?? head;
  const look = (version: number) => {
    performance.mark('scrub');
    model.at.value = version >= head ? null : Math.max(1, version);
    goAt(model.at.value);
  };
  const keys = (event: KeyboardEvent) => {
    const jump = { PageUp: -10, PageDown: 10 }[event.key];
    if (jump === undefined) return;
    event.preventDefault();
    look(at + jump);
  };
  return (
    <div class="scrubber">
      <button type="button" aria-label="The version before" disabled={at <= 1} onClick={() => look(at - 1)}>
        ◀
      </button>
      <input
        type="range"
        aria-label="Version"
        aria-valuetext={step ? `version ${step.version}, ${step.type}` : 'none'}
        min={1}
        max={Math.max(1, head)}
        value={at}
        onKeyDown={keys}
        onInput={({ currentTarget }) => look(Number(currentTarget.value))}
      />
      <button type="button" aria-label="The version after" disabled={at >= head} onClick={() => look(at + 1)}>
        ▶
      </button>
      <button type="button" class={model.at.value === null ? 'good' : 'plain'} onClick={() => look(head)}>
        newest
      </button>
      {step && (
        <p class="moment">
          <strong>
            {step.version} of {head}
          </strong>{' '}
          <code>{step.type}</code> {step.text}
          <span class="quiet">
            {' '}
            · {clock(step.at)} · {grouped(spent.tokens)} tokens · {money(spent.costNanoUsd)}
          </span>
        </p>
      )}
    </div>
  );
}

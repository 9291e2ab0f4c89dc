import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { amount } from '../text/money.ts';
import { Patch } from './parts.tsx';
import type { RunModel } from './run-model.ts';
import type { ChangeView } from './view-types.ts';
import { Checks } from './story.tsx';
import { server } from './page-source.ts';

/** What a run has changed, in all or in one round, beside the checks that judged it. */
export function DiffTab({ model }: { model: RunModel }): JSX.Element {
  const round = useSignal<number | null>(null);
  const change = useSignal<ChangeView | null>(model.embedded?.change ?? null);
  const failure = useSignal<string | null>(null);
  const rounds = model.view.value?.rounds ?? [];
  const version = model.view.value?.version;
  const asked = round.value;
  useEffect(() => {
    if (model.embedded) return;
    failure.value = null;
    server.change(model.run, asked).then(
      (found) => (change.value = found),
      (error: Error) => {
        change.value = null;
        failure.value = error.message;
      },
    );
  }, [asked, version]);
  const judged = asked === null ? rounds.at(-1) : rounds.find(({ number }) => number === asked);
  const shown = change.value;
  return (
    <div class="tab" tabIndex={0}>
      {!model.embedded && rounds.length > 1 && (
        <div role="group" aria-label="Which change" class="choices">
          <button type="button" aria-pressed={asked === null} onClick={() => (round.value = null)}>
            all of it
          </button>
          {rounds.map(({ number }) => (
            <button key={number} type="button" aria-pressed={asked === number} onClick={() => (round.value = number)}>
              iteration {number}
            </button>
          ))}
        </div>
      )}
      {failure.value !== null && <p role="alert">{failure.value}</p>}
      {judged && judged.checks.length > 0 && <Checks checks={judged.checks} />}
      {shown && (
        <>
          <p class="quiet">
            from {shown.from} to {shown.to}, {amount(shown.files.length, 'file')}
            {shown.isCut ? '; the beginning of the patch' : ''}
          </p>
          {shown.deciding.length > 0 && <p class="odd">Later runs go by: {shown.deciding.join(', ')}</p>}
          {shown.leftOut.length > 0 && <p>Not captured: {shown.leftOut.join(', ')}</p>}
          <Patch text={shown.patch} />
        </>
      )}
    </div>
  );
}

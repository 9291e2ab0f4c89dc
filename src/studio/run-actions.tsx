import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Action } from './parts.tsx';
import { go, runHref } from './page-address.ts';
import type { RunModel } from './run-model.ts';
import { changeOf, JUDGE_FIELDS, NO_FIELDS } from './judge-fields.ts';
import { post } from './page-source.ts';
import type { RunView } from './view-types.ts';
import { shortId } from './words.ts';

/** What a person can do with a run. Each button says what it touches. */
export function RunActions({ model }: { model: RunModel }): JSX.Element | null {
  const words = useSignal('');
  const limit = useSignal('');
  const view = model.view.value;
  if (!view || model.embedded) return null;
  const { run, root, standing, ending } = view;
  const path = `/api/runs/${root}`;
  const done = () => model.refresh();
  const isOpen = standing.kind !== 'ended';
  const [field, title, example] = extendingField(view);
  const mayExtend = !isOpen && ending?.kind !== 'success' && run === root;
  return (
    <div class="actions">
      {isOpen && (
        <>
          <label>
            Add to the task
            <input value={words.value} onInput={({ currentTarget }) => (words.value = currentTarget.value)} />
          </label>
          <Action
            name="Steer"
            touches={`the model of run ${shortId(root)} reads it before its next answer`}
            disabled={words.value.trim() === ''}
            send={async () => {
              await post(`${path}/steer`, { text: words.value });
              words.value = '';
            }}
            done={done}
          />
        </>
      )}
      {standing.kind === 'running' && (
        <Action name="Pause" touches="stops it, to be resumed" send={() => post(`${path}/pause`)} done={done} />
      )}
      {(isOpen ? standing.kind !== 'running' : ending?.kind === 'abort') && (
        <Action
          name="Resume"
          kind="good"
          touches="it works in the process of this server, in its folder"
          send={() => post(`${path}/resume`)}
          done={done}
        />
      )}
      {isOpen && (
        <Action
          name="Abort"
          kind="bad"
          touches="ends it, and all below it"
          send={() => post(`${path}/abort`)}
          done={done}
        />
      )}
      {mayExtend && (
        <>
          <label>
            {title}
            <input
              size={16}
              placeholder={example}
              value={limit.value}
              onInput={({ currentTarget }) => (limit.value = currentTarget.value)}
            />
          </label>
          <Action
            name="Extend"
            kind="good"
            touches={`a new run goes on from here, with this: ${title.toLowerCase()}`}
            disabled={limit.value.trim() === ''}
            send={async () => {
              const begun = await post<{ run: string }>(
                `${path}/extend`,
                changeOf({ ...NO_FIELDS, [field]: limit.value }),
              );
              go(runHref(begun.run));
            }}
            done={done}
          />
        </>
      )}
    </div>
  );
}

/** What has to change for a run to go on from its ending: another limit would not help one that repeats itself. */
function extendingField({ ending, loop }: RunView): (typeof JUDGE_FIELDS)[number] {
  const limit = loop === 'turn' ? 'maxSteps' : 'maxIterations';
  const name = ending?.kind === 'doom_loop' ? 'detectors' : limit;
  return JUDGE_FIELDS.find(([field]) => field === name) ?? JUDGE_FIELDS[0];
}

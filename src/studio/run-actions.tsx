import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Action } from './parts.tsx';
import { go, runHref } from './page-address.ts';
import type { RunModel } from './run-model.ts';
import { changeOf, JUDGE_FIELDS, NO_FIELDS } from './judge-fields.ts';
import { post } from './page-source.ts';
import type { RunView } from './view-types.ts';
import { shortId } from './words.ts';

/** The commands that a person can send to a run. Each button says what it touches. */
export function RunActions({ model }: { model: RunModel }): JSX.Element | null {
  const view = model.view.value;
  if (!view || model.embedded) return null;
  const { run, root, standing, ending } = view;
  const path = `/api/runs/${root}`;
  const done = () => model.refresh();
  const isOpen = standing.kind !== 'ended';
  const mayExtend = !isOpen && ending?.kind !== 'success' && run === root;
  return (
    <div class="actions">
      {isOpen && <Steer root={root} done={done} />}
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
      {mayExtend && <Extend view={view} done={done} />}
    </div>
  );
}

/** Words that the model of a run reads before it answers again. */
function Steer({ root, done }: { root: string; done: () => void }): JSX.Element {
  const words = useSignal('');
  return (
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
          await post(`/api/runs/${root}/steer`, { text: words.value });
          words.value = '';
        }}
        done={done}
      />
    </>
  );
}

/** Another limit, under which a new run goes on from the end of this one. */
function Extend({ view, done }: { view: RunView; done: () => void }): JSX.Element {
  const limit = useSignal('');
  const [field, title, example] = extendingField(view);
  return (
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
          const change = changeOf({ ...NO_FIELDS, [field]: limit.value });
          const begun = await post<{ run: string }>(`/api/runs/${view.root}/extend`, change);
          go(runHref(begun.run));
        }}
        done={done}
      />
    </>
  );
}

/** What has to change for a run to go on from its ending: another limit would not help one that repeats itself. */
function extendingField({ ending, loop }: RunView): (typeof JUDGE_FIELDS)[number] {
  const limit = loop === 'turn' ? 'maxSteps' : 'maxIterations';
  const name = ending?.kind === 'doom_loop' ? 'detectors' : limit;
  return JUDGE_FIELDS.find(([field]) => field === name) ?? JUDGE_FIELDS[0];
}

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { RunModel } from './run-model.ts';
import { server } from './page-source.ts';

/** What the machine of a run remembers at the version that is looked at, and the event that was recorded then. */
export function StateAt({ model }: { model: RunModel }): JSX.Element {
  const shown = useSignal<{ readonly version: number; readonly text: string } | null>(null);
  const version = model.step.value?.version ?? 1;
  const read = async () => {
    const [state, events] = await Promise.all([server.state(model.run, version), server.event(model.run, version)]);
    shown.value = { version, text: JSON.stringify({ state, event: events[0] ?? null }, null, 2) };
  };
  return (
    <div class="state-at">
      <button type="button" class="link" onClick={() => void read()}>
        State, context and event of version {version} as JSON
      </button>
      {shown.value && (
        <details open>
          <summary>version {shown.value.version}</summary>
          <pre>{shown.value.text}</pre>
        </details>
      )}
    </div>
  );
}

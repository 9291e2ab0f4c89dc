import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { goAt } from './page-address.ts';
import type { RunModel } from './run-model.ts';
import { server } from './page-source.ts';
import { WindowedList } from './list-window.tsx';
import { clock } from './words.ts';

const ROW_PX = 26;

/** Every event of a run in a line. Enter, or a click, shows it as it was recorded. */
export function EventsTab({ model }: { model: RunModel }): JSX.Element {
  const raw = useSignal<string | null>(null);
  const steps = model.steps.value;
  const at = model.step.value?.version ?? 1;
  const look = async (version: number) => {
    model.at.value = version >= steps.length ? null : version;
    goAt(model.at.value);
    if (model.embedded) return;
    const [event] = await server.event(model.run, version).catch(() => []);
    raw.value = event ? JSON.stringify(event, null, 2) : null;
  };
  return (
    <div class="tab events">
      <div class="fill">
        <WindowedList
          label="Events"
          items={steps}
          rowHeight={ROW_PX}
          shown={at - 1}
          keyOf={({ version }) => version}
          row={({ version, at: time, type, text }) => (
            <button
              type="button"
              class={version === at ? 'event chosen' : 'event'}
              aria-pressed={version === at}
              onClick={() => void look(version)}
            >
              <span class="number">{version}</span> <span class="quiet">{clock(time)}</span> <code>{type}</code> {text}
            </button>
          )}
        />
      </div>
      {raw.value !== null && (
        <section class="selected" aria-label="The event as it was recorded">
          <pre>{raw.value}</pre>
        </section>
      )}
    </div>
  );
}

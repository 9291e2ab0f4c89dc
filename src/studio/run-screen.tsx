import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ChartTab } from './chart-tab.tsx';
import { ConversationTab } from './conversation-tab.tsx';
import { DiffTab } from './diff-tab.tsx';
import { EventsTab } from './events-tab.tsx';
import { EvidenceTab } from './evidence-tab.tsx';
import { MoneyTab } from './money-tab.tsx';
import { place, runHref } from './page-address.ts';
import { ReportTab } from './report-tab.tsx';
import { RunHead } from './run-head.tsx';
import { RunModel } from './run-model.ts';
import type { Embedded } from './page-source.ts';
import { Story } from './story.tsx';
import { WaterfallTab } from './waterfall-tab.tsx';

const TABS = [
  ['chart', 'Chart', ChartTab],
  ['waterfall', 'Waterfall', WaterfallTab],
  ['evidence', 'Evidence', EvidenceTab],
  ['diff', 'Diff', DiffTab],
  ['conversation', 'Conversation', ConversationTab],
  ['money', 'Money', MoneyTab],
  ['events', 'Events', EventsTab],
  ['report', 'Report', ReportTab],
] as const;

/** One run: its story, and beside it what is selected. */
export function RunScreen({ run, given }: { run: string; given: Embedded | null }): JSX.Element {
  const model = useSignal<RunModel | null>(null);
  useEffect(() => {
    const made = new RunModel(run, given);
    made.at.value = place.peek().at;
    model.value = made;
    return () => made.close();
  }, [run]);
  return model.value === null ? <main class="screen" /> : <Shown model={model.value} />;
}

function Shown({ model }: { model: RunModel }): JSX.Element {
  const { tab: asked } = place.value;
  const [tab, , Tab] = TABS.find(([name]) => name === asked) ?? TABS[0];
  const view = model.view.value;
  return (
    <main class="screen run">
      <RunHead model={model} />
      {model.failure.value !== null && <p role="alert">{model.failure.value}</p>}
      {view && (
        <div class="panes">
          <Story model={model} />
          <div class="pane">
            <nav class="tabs" aria-label="Views of the run">
              {TABS.filter(([name]) => name !== 'report' || view.isReported).map(([name, title], index) => (
                <a
                  key={name}
                  href={runHref(model.run, name)}
                  aria-current={name === tab ? 'page' : undefined}
                  title={`key ${index + 1}`}
                >
                  {title}
                </a>
              ))}
            </nav>
            <Tab model={model} />
          </div>
        </div>
      )}
    </main>
  );
}

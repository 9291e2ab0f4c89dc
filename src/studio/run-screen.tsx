import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { AskedForm } from './asked-form.tsx';
import { ChartTab } from './chart-tab.tsx';
import { ConversationTab } from './conversation-tab.tsx';
import { DiffTab } from './diff-tab.tsx';
import { EventsTab } from './events-tab.tsx';
import { EvidenceTab } from './evidence-tab.tsx';
import { isReadOnly } from './about.ts';
import { MoneyTab } from './money-tab.tsx';
import { Badge } from './parts.tsx';
import { compareHref, place, runHref } from './page-address.ts';
import { ReportTab } from './report-tab.tsx';
import { RunActions } from './run-actions.tsx';
import { RunModel } from './run-model.ts';
import type { Embedded } from './page-source.ts';
import type { RunView } from './view-types.ts';
import { Story } from './story.tsx';
import { WaterfallTab } from './waterfall-tab.tsx';
import { grouped, money, shortId } from './words.ts';

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
      <Head model={model} />
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

/** What a person can do now. Where the page shows what to look at, it is a link. */
function NextSteps({ model, next }: { model: RunModel; next: RunView['next'] }): JSX.Element {
  return (
    <>
      {next.map(({ action, words }, index) => {
        const href = hrefOf(action, model);
        return (
          <span key={words}>
            {index > 0 && '. Or: '}
            {href === null ? words : <a href={href}>{words}</a>}
          </span>
        );
      })}
    </>
  );
}

/** Null: it is done with the buttons below, or in a terminal. */
function hrefOf(action: RunView['next'][number]['action'], { run, view, embedded }: RunModel): string | null {
  if (action === 'prove') return runHref(run, 'diff');
  if (action === 'show') return runHref(run, view.value?.ending?.kind === 'doom_loop' ? 'conversation' : 'diff');
  return action === 'redecide' && !embedded ? `#/lab/${run}` : null;
}

/** A script is a file: its name is enough to know it by. */
const nameOf = (model: string): string => model.replace(/^script:.*\//, 'script:');

function Head({ model }: { model: RunModel }): JSX.Element {
  const view = model.view.value;
  if (!view) return <h1>Run {shortId(model.run)}</h1>;
  const {
    ending,
    standing,
    next,
    loop,
    strategy,
    tokens,
    costNanoUsd,
    questions,
    remedy,
    parent,
    continues,
    evidence,
  } = view;
  const facts = [
    loop,
    ...(strategy === null ? [] : [strategy]),
    nameOf(view.model),
    `${grouped(tokens)} tokens`,
    money(costNanoUsd),
  ];
  return (
    <header class="head" tabIndex={0}>
      <h1>
        <Badge
          kind={ending?.kind ?? standing.kind}
          words={standing.asks > 0 ? 'waits for you' : (ending?.words ?? standing.words)}
          asks={standing.asks}
        />{' '}
        <span class="task">{view.task.split('\n', 1)[0]}</span>
      </h1>
      {ending && (
        <p>
          It ended because: <strong>{ending.reason}</strong>
          {ending.kind === 'success' && evidence[0] !== undefined && <span class="quiet"> · {evidence[0]}</span>}
        </p>
      )}
      {remedy !== null && <p role="alert">{remedy}</p>}
      <p>
        Next: <NextSteps model={model} next={next} /> <span class="quiet">· {facts.join(' · ')}</span>
      </p>
      <p class="quiet">
        run <code>{view.run}</code>
        {!model.embedded && parent !== null && (
          <>
            {' '}
            · part of <a href={runHref(parent)}>run {shortId(parent)}</a>
          </>
        )}
        {!model.embedded && continues !== null && (
          <>
            {' '}
            · continues <a href={runHref(continues.run)}>run {shortId(continues.run)}</a>
          </>
        )}
        {!model.embedded &&
          view.continuedAs.map((one) => (
            <span key={one}>
              {' '}
              · continued as <a href={runHref(one)}>run {shortId(one)}</a>
            </span>
          ))}
        {!model.embedded && (
          <>
            {' '}
            · <a href={`#/lab/${view.run}`}>other judges</a>
            {view.children.length > 1 && (
              <>
                {' '}
                · <a href={`#/compare/of:${view.run}`}>compare its attempts</a>
              </>
            )}
            {continues !== null && (
              <>
                {' '}
                · <a href={compareHref([continues.run, view.run])}>compare with what it continues</a>
              </>
            )}
          </>
        )}
        {view.unreadable > 0 && ` · ${view.unreadable} events cannot be read here`}
      </p>
      {questions.map((question) => (
        <AskedForm
          key={`${question.run} ${question.callId}`}
          asked={question}
          isReadOnly={isReadOnly.value || model.embedded !== null}
          done={() => model.refresh()}
        />
      ))}
      {!isReadOnly.value && <RunActions model={model} />}
    </header>
  );
}

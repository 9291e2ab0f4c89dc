import type { JSX } from 'preact';
import { isReadOnly } from './about.ts';
import { QuestionForm } from './question-form.tsx';
import { runHref } from './page-address.ts';
import { Badge } from './parts.tsx';
import { RunActions } from './run-actions.tsx';
import type { RunModel } from './run-model.ts';
import { RunRelations } from './run-relations.tsx';
import type { RunView } from './view-types.ts';
import { grouped, money, shortId } from './words.ts';

/** The top of a run: its task, how it stands or ended, what it asks, and what a person can do. */
export function RunHead({ model }: { model: RunModel }): JSX.Element {
  const view = model.view.value;
  if (!view) return <h1>Run {shortId(model.run)}</h1>;
  const { ending, standing, next, loop, strategy, tokens, costNanoUsd, questions, remedy, evidence } = view;
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
      <RunRelations view={view} isAlone={model.embedded !== null} />
      {questions.map((question) => (
        <QuestionForm
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

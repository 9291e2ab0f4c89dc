import type { JSX } from 'preact';
import { Part, Words } from './parts.tsx';
import type { RunModel } from './run-model.ts';
import type { CheckView, RoundView } from './view-types.ts';
import { grouped, money, took } from './words.ts';

/** What a run was asked, what it tried round by round, and why it ended. */
export function Story({ model }: { model: RunModel }): JSX.Element {
  const view = model.view.value;
  const step = model.step.value;
  if (!view) return <aside class="story" />;
  const { rounds, task, ending, findings, warnings, answer, summary } = view;
  return (
    <aside class="story" aria-label="Story" tabIndex={0}>
      <Part title="Asked">
        <Words text={task} />
      </Part>
      {rounds.map((round) => (
        <Round
          key={round.number}
          round={round}
          isLater={step !== null && Date.parse(round.startedAt) > Date.parse(step.at)}
          look={model}
        />
      ))}
      {rounds.length === 0 && answer !== '' && (
        <Part title="Answered">
          <Words text={answer} />
        </Part>
      )}
      {findings.length > 0 && (
        <Part title="Noticed">
          <ul>
            {findings.map(({ detector, level, message, version }) => (
              <li key={`${version} ${detector}`}>
                <strong>{detector}</strong> ({level}): {message}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {warnings.length > 0 && (
        <Part title="Warnings">
          <ul>
            {warnings.map((warning, index) => (
              <li key={index}>{warning}</li>
            ))}
          </ul>
        </Part>
      )}
      {ending && (
        <Part title="Ended">
          <p>
            <strong>{ending.words}</strong>: {ending.reason}
          </p>
          {summary !== null && <Words text={summary} />}
        </Part>
      )}
    </aside>
  );
}

/** An attempt that has ended well has only said that it is done: the checks decide. */
const attemptText = (attempt: string): string =>
  attempt === 'success' ? 'the attempt says that it is done' : `attempt: ${attempt}`;

function underWay({ view }: RunModel): string {
  const { kind, asks, words } = view.value?.standing ?? { kind: 'running', asks: 0, words: '' };
  if (asks > 0) return 'not finished: it waits for you';
  return kind === 'running' ? 'under way' : `not finished: ${words}`;
}

function Round({ round, isLater, look }: { round: RoundView; isLater: boolean; look: RunModel }): JSX.Element {
  const { number, attempt, answer, changed, checks, decision, findings, remarks, durationMs, tokens, costNanoUsd } =
    round;
  const facts = [
    attempt === null ? underWay(look) : attemptText(attempt),
    ...(durationMs === null ? [] : [took(durationMs)]),
    ...(tokens > 0 ? [`${grouped(tokens)} tokens`] : []),
    ...(costNanoUsd === null ? [] : [money(costNanoUsd)]),
  ];
  return (
    <section class={isLater ? 'round later' : 'round'}>
      <h2>Iteration {number}</h2>
      <p class="quiet">{facts.join(' · ')}</p>
      {answer !== '' && <Words text={answer} most={300} />}
      {changed.length > 0 && (
        <ul class="files">
          {changed.map(({ path, added, removed }) => (
            <li key={path}>
              <code>{path}</code> <span class="quiet">{added === null ? 'binary' : `+${added} −${removed ?? 0}`}</span>
            </li>
          ))}
        </ul>
      )}
      {checks.length > 0 && <Checks checks={checks} />}
      {remarks.map((remark, index) => (
        <p key={index}>{remark}</p>
      ))}
      {findings.map((finding, index) => (
        <p key={index} class="odd">
          {finding}
        </p>
      ))}
      {decision && (
        <p class="decision">
          <button type="button" class="link" onClick={() => (look.at.value = decision.version)}>
            {decision.action === 'continue' ? 'goes on' : 'stops'}
          </button>
          : {decision.reason}
        </p>
      )}
    </section>
  );
}

/** The checks of a round as a grid: what passed, what failed, and what turned green since the round before. */
export const Checks = ({ checks }: { checks: readonly CheckView[] }): JSX.Element => (
  <table class="checks">
    <thead>
      <tr>
        <th scope="col">Check</th>
        <th scope="col">Tests</th>
        <th scope="col">Time</th>
      </tr>
    </thead>
    <tbody>
      {checks.map((check) => (
        <tr key={`${check.level} ${check.name}`} class={check.passed ? 'good' : 'bad'}>
          <th scope="row">
            <span aria-label={check.passed ? 'passed' : 'failed'}>{check.passed ? '✓' : '✗'}</span> {check.level}{' '}
            <code>{check.name}</code>
          </th>
          <td>
            {check.tests && `${check.tests.passed} passed, ${check.tests.failed} failed`}
            <ul class="tests">
              {check.turned.map((name) => (
                <li key={name} class="turned">
                  turned green: {name}
                </li>
              ))}
              {check.failing.map(({ name, message }) => (
                <li key={name} class="failing">
                  <details>
                    <summary>fails: {name}</summary>
                    <pre>{message}</pre>
                  </details>
                </li>
              ))}
            </ul>
            {check.output !== '' && (
              <details>
                <summary>output</summary>
                <pre>{check.output}</pre>
              </details>
            )}
          </td>
          <td class="quiet">{took(check.durationMs)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { person } from './about.ts';
import { Action, Patch } from './parts.tsx';
import type { AskedView } from './view-types.ts';
import { post } from './page-source.ts';
import { shortId } from './words.ts';

const DIGEST_CHARS = 16;

interface AskedProps {
  readonly asked: AskedView;
  readonly done: () => void;
  readonly isReadOnly: boolean;
}

/** What a run asks, with what an answer touches: a question, a permission, or an approval of a difference. */
export function AskedForm({ asked, done, isReadOnly }: AskedProps): JSX.Element {
  const text = useSignal('');
  const reason = useSignal('');
  const { root, run, callId, kind, choices, allows, digest, diff } = asked;
  const call = `${run}/${callId}`;
  const command = (verb: string, body: object) => post(`/api/runs/${root}/${verb}`, { call, ...body });
  const because = () => (reason.value.trim() === '' ? {} : { reason: reason.value });
  const keys = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isTyped) return;
    const choice = choices[Number(event.key) - 1];
    if (choice !== undefined) text.value = choice;
    // A key leads to the button, and Enter presses it: no single key decides.
    const named = { a: '.good', d: '.bad' }[event.key];
    const button =
      named && event.currentTarget instanceof Element && event.currentTarget.querySelector(`.answer ${named}`);
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <section class="asked" tabIndex={0} aria-label={`Question of run ${shortId(run)}`} onKeyDown={keys}>
      <pre class="question">{asked.text}</pre>
      {diff !== null && <Patch text={diff} />}
      {allows !== null && (
        <p>
          Allows: <strong>{allows}</strong>
          {digest !== null && (
            <span class="quiet">
              {' '}
              · exactly <code>{digest.slice(0, DIGEST_CHARS)}</code>
            </span>
          )}
        </p>
      )}
      {diff !== null && !isReadOnly && (
        <p class="quiet">
          {person.value === null
            ? 'No person is known here, so what you approve makes the work weak: start the page in a terminal of yours.'
            : `Recorded as approved by ${person.value}.`}
        </p>
      )}
      {isReadOnly && <p class="quiet">It can only be read here: answer it in a terminal.</p>}
      {!isReadOnly && kind === 'question' && (
        <div class="answer">
          {choices.map((choice, index) => (
            <button key={choice} type="button" class="choice" onClick={() => (text.value = choice)}>
              <kbd>{index + 1}</kbd> {choice}
            </button>
          ))}
          <label>
            Answer
            <textarea rows={2} value={text.value} onInput={({ currentTarget }) => (text.value = currentTarget.value)} />
          </label>
          <Action
            name="Answer"
            kind="good"
            touches={`run ${shortId(root)} gets this text`}
            disabled={text.value.trim() === ''}
            send={() => command('answer', { text: text.value })}
            done={done}
          />
        </div>
      )}
      {!isReadOnly && kind !== 'question' && (
        <div class="answer">
          <label>
            Reason
            <input value={reason.value} onInput={({ currentTarget }) => (reason.value = currentTarget.value)} />
          </label>
          {allows !== null && digest !== null && (
            <Action
              name="Approve"
              kind="good"
              touches={allows}
              send={() => command('approve', { digest, ...because() })}
              done={done}
            />
          )}
          {asked.remembers.length > 0 && digest !== null && (
            <Action
              name="Approve in this run"
              kind="good"
              touches={`for good in this run: ${asked.remembers.join('; ')}`}
              send={() => command('approve', { digest, remember: true })}
              done={done}
            />
          )}
          <Action
            name="Deny"
            kind="bad"
            touches={`run ${shortId(root)} is refused it`}
            send={() => command('deny', because())}
            done={done}
          />
        </div>
      )}
    </section>
  );
}

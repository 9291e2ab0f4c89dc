import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { person } from './about.ts';
import { AnswerForm } from './answer-form.tsx';
import { Patch } from './parts.tsx';
import { RulingForm } from './ruling-form.tsx';
import type { AskedView } from './view-types.ts';
import { shortId } from './words.ts';

const DIGEST_CHARS = 16;

interface QuestionProps {
  readonly asked: AskedView;
  readonly done: () => void;
  readonly isReadOnly: boolean;
}

/** The question of a run, with what an answer touches: its words, a permission, or an approval of a difference. */
export function QuestionForm({ asked, done, isReadOnly }: QuestionProps): JSX.Element {
  const text = useSignal('');
  const { run, kind, choices, diff } = asked;
  const keys = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isTyped) return;
    const choice = choices[Number(event.key) - 1];
    if (choice !== undefined) text.value = choice;
    focusRuling(event);
  };
  return (
    <section class="asked" tabIndex={0} aria-label={`Question of run ${shortId(run)}`} onKeyDown={keys}>
      <Question asked={asked} />
      {diff !== null && !isReadOnly && (
        <p class="quiet">
          {person.value === null
            ? 'No person is known here, so what you approve makes the work weak: start the page in a terminal of yours.'
            : `Recorded as approved by ${person.value}.`}
        </p>
      )}
      {isReadOnly && <p class="quiet">It can only be read here: answer it in a terminal.</p>}
      {!isReadOnly && kind === 'question' && <AnswerForm asked={asked} text={text} done={done} />}
      {!isReadOnly && kind !== 'question' && <RulingForm asked={asked} done={done} />}
    </section>
  );
}

/** A key leads to the button, and Enter presses it: no single key decides. */
function focusRuling({ key, currentTarget }: KeyboardEvent): void {
  const named = { a: '.good', d: '.bad' }[key];
  const button = named && currentTarget instanceof Element && currentTarget.querySelector(`.answer ${named}`);
  if (button instanceof HTMLElement) button.focus();
}

/** The words of the question, the difference that it is about, and what an approval allows. */
const Question = ({ asked: { text, diff, allows, digest } }: { asked: AskedView }): JSX.Element => (
  <>
    <pre class="question">{text}</pre>
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
  </>
);

import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Action } from './parts.tsx';
import { reply } from './page-source.ts';
import type { AskedView } from './view-types.ts';
import { shortId } from './words.ts';

interface AnswerProps {
  readonly asked: AskedView;
  /** The answer so far: typed here, or chosen by a key. */
  readonly text: Signal<string>;
  readonly done: () => void;
}

/** The answer to a question in words: one of its choices, or any other. */
export const AnswerForm = ({ asked, text, done }: AnswerProps): JSX.Element => (
  <div class="answer">
    {asked.choices.map((choice, index) => (
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
      touches={`run ${shortId(asked.root)} gets this text`}
      disabled={text.value.trim() === ''}
      send={() => reply(asked, 'answer', { text: text.value })}
      done={done}
    />
  </div>
);

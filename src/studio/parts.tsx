import type { ComponentChildren, JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { toneOf } from './words.ts';
import { Refused } from './page-source.ts';

/** A word with the colour of an ending or of a standing. */
export const Badge = ({ kind, words, asks = 0 }: { kind: string; words: string; asks?: number }): JSX.Element => (
  <span class={`badge ${toneOf(kind, asks)}`}>{words}</span>
);

/** A titled part of a page. */
export const Part = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => (
  <section class="part">
    <h2>{title}</h2>
    {children}
  </section>
);

/** A text of any length, of a model or of a command: as it is, never as mark-up. */
export const Words = ({ text, most = 600 }: { text: string; most?: number }): JSX.Element => {
  const isWhole = useSignal(false);
  const isLong = text.length > most;
  return (
    <div class="words">
      <pre>{isLong && !isWhole.value ? `${text.slice(0, most)}…` : text}</pre>
      {isLong && (
        <button type="button" class="link" onClick={() => (isWhole.value = !isWhole.value)}>
          {isWhole.value ? 'less' : 'all of it'}
        </button>
      )}
    </div>
  );
};

interface ActionProps {
  /** What it does, on the button. */
  readonly name: string;
  /** What it will touch. */
  readonly touches: string;
  readonly send: () => Promise<unknown>;
  readonly done: () => void;
  readonly disabled?: boolean;
  readonly kind?: 'plain' | 'good' | 'bad';
}

/** A button that sends a command, and says what came of it. */
export function Action({ name, touches, send, done, disabled = false, kind = 'plain' }: ActionProps): JSX.Element {
  const state = useSignal<string | null>(null);
  const isSending = useSignal(false);
  const run = async () => {
    isSending.value = true;
    state.value = null;
    try {
      await send();
      done();
    } catch (error) {
      state.value = error instanceof Refused ? error.message : String(error);
    }
    isSending.value = false;
  };
  return (
    <span class="action">
      <button type="button" class={kind} disabled={disabled || isSending.value} title={touches} onClick={run}>
        {name}
      </button>
      {state.value !== null && <span role="alert">{state.value}</span>}
    </span>
  );
}

/** A patch, line by line, with what is added and removed in colour and by its sign. */
export const Patch = ({ text }: { text: string }): JSX.Element => (
  <pre class="patch">
    {text.split('\n').map((line, index) => (
      <span key={index} class={lineClass(line)}>
        {line}
        {'\n'}
      </span>
    ))}
  </pre>
);

function lineClass(line: string): string {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|old mode|new mode)/.test(line)) return 'head';
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : '';
}

import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { isReadOnly } from './about.ts';
import { QuestionForm } from './question-form.tsx';
import { onChange } from './live.ts';
import { runHref } from './page-address.ts';
import type { InboxView } from './view-types.ts';
import { server } from './page-source.ts';
import { ago, clock, shortId } from './words.ts';

const items = signal<readonly InboxView[] | null>(null);
const failure = signal<string | null>(null);

/** How much waits for people. */
export const waiting = computed(() => items.value?.length ?? 0);

/** Reads what waits for people. */
export async function readInbox(): Promise<void> {
  try {
    items.value = await server.inbox();
    failure.value = null;
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
}

/** What all runs wait for people to do, the longest wait first. */
export function InboxScreen(): JSX.Element {
  useEffect(() => {
    void readInbox();
    return onChange(() => void readInbox());
  }, []);
  return (
    <main class="screen inbox">
      <h1>Inbox</h1>
      {failure.value !== null && <p role="alert">{failure.value}</p>}
      {items.value?.length === 0 && <p>No run waits for a person.</p>}
      <ul class="items">
        {(items.value ?? []).map((item) => (
          <li key={keyOf(item)}>
            <h2>
              <a href={runHref(item.run)}>run {shortId(item.run)}</a>{' '}
              <span class="quiet">
                waits since {clock(item.since)}, {ago(item.since, Date.now())}
              </span>
            </h2>
            {item.kind === 'question' ? (
              <QuestionForm asked={item.question} isReadOnly={isReadOnly.value} done={() => void readInbox()} />
            ) : (
              <p>{item.text}</p>
            )}
          </li>
        ))}
      </ul>
    </main>
  );
}

const keyOf = (item: InboxView): string =>
  item.kind === 'question' ? `${item.question.run} ${item.question.callId}` : `${item.run} ${item.kind}`;

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Words } from './parts.tsx';
import { runHref } from './page-address.ts';
import type { RunModel } from './run-model.ts';
import type { ConversationView } from './view-types.ts';
import { server } from './page-source.ts';
import { shortId } from './words.ts';

/** What a run and its model have said to each other, with what stands in later requests only as part of a summary. */
export function ConversationTab({ model }: { model: RunModel }): JSX.Element {
  const told = useSignal<ConversationView | null>(model.embedded?.conversation ?? null);
  const view = model.view.value;
  const version = view?.version;
  useEffect(() => {
    if (!model.embedded)
      void server
        .conversation(model.run)
        .then((found) => (told.value = found))
        .catch(() => {});
  }, [version]);
  const { messages = [], earlier = 0 } = told.value ?? {};
  return (
    <div class="tab" tabIndex={0}>
      {messages.length === 0 && <p>This run talks to no model itself.</p>}
      {messages.length === 0 && !model.embedded && (view?.children.length ?? 0) > 0 && (
        <ul>
          {view?.children.map((child, index) => (
            <li key={child}>
              <a href={runHref(child, 'conversation')}>
                Conversation of attempt {index + 1}, run {shortId(child)}
              </a>
            </li>
          ))}
        </ul>
      )}
      {earlier > 0 && <p class="quiet">{earlier} messages before these are left out.</p>}
      <ol class="messages">
        {messages.map((message, index) => (
          <li key={index} class={`message ${message.role} ${message.compacted ? 'compacted' : ''}`}>
            <h2>
              {message.tool ?? message.role}
              {message.failed && ' (failed)'}
              {message.compacted && <span class="quiet"> · compacted: later requests have a summary of it</span>}
            </h2>
            {message.text !== '' && <Words text={message.text} most={1_200} />}
            {message.calls.map((call, place) => (
              <pre key={place} class="call">
                {call.tool} {call.arguments}
              </pre>
            ))}
          </li>
        ))}
      </ol>
    </div>
  );
}

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Action } from './parts.tsx';
import { reply } from './page-source.ts';
import type { AskedView } from './view-types.ts';
import { shortId } from './words.ts';

/** The ruling on a call or a change: approved, approved for good in this run, or denied. */
export function RulingForm({ asked, done }: { asked: AskedView; done: () => void }): JSX.Element {
  const reason = useSignal('');
  const { root, allows, digest, remembers } = asked;
  const because = () => (reason.value.trim() === '' ? {} : { reason: reason.value });
  return (
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
          send={() => reply(asked, 'approve', { digest, ...because() })}
          done={done}
        />
      )}
      {remembers.length > 0 && digest !== null && (
        <Action
          name="Approve in this run"
          kind="good"
          touches={`for good in this run: ${remembers.join('; ')}`}
          send={() => reply(asked, 'approve', { digest, remember: true })}
          done={done}
        />
      )}
      <Action
        name="Deny"
        kind="bad"
        touches={`run ${shortId(root)} is refused it`}
        send={() => reply(asked, 'deny', because())}
        done={done}
      />
    </div>
  );
}

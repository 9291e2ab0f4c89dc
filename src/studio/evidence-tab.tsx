import type { JSX } from 'preact';
import { Action, Part } from './parts.tsx';
import type { RunModel } from './run-model.ts';
import { Checks } from './story.tsx';
import { post } from './page-source.ts';
import { clock } from './words.ts';

const PLAINLY: Readonly<Record<string, string>> = {
  control: '(tests that must fail are put beside the others, to see if the check notices)',
  grounds: '(the tests, configuration and scripts that decide what a check means)',
  walls: '(what keeps the checks from the network and from other files)',
};

/** What the word means that a line of evidence begins with. */
const plainly = (line: string): string => PLAINLY[/^\w+(?=:)/.exec(line)?.[0] ?? ''] ?? '';

/** What shows that the work is done, in words, and what could not be seen. */
export function EvidenceTab({ model }: { model: RunModel }): JSX.Element {
  const view = model.view.value;
  if (!view) return <div class="tab" />;
  const { ending, evidence, unseen, checks, checksPassed, standing } = view;
  return (
    <div class="tab" tabIndex={0}>
      {checksPassed === null && <p>Nothing was checked{ending ? '' : ' yet'}.</p>}
      {evidence.length > 0 && (
        <Part title="What the checks are worth">
          <ul>
            {evidence.map((line) => (
              <li key={line}>
                {line} <span class="quiet">{plainly(line)}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {unseen.length > 0 && (
        <Part title="What could not be seen">
          <ul>
            {unseen.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </Part>
      )}
      {checks.length > 0 && (
        <Part title="The newest checks">
          <Checks checks={checks} />
        </Part>
      )}
      {ending && ending.evidence.length > 0 && (
        <Part title="The events that the ending rests on">
          <ul>
            {ending.evidence.map(({ id, at, type, text }) => (
              <li key={id}>
                <code>{id}</code> {clock(at)} {type}: {text}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {!model.embedded && standing.kind === 'ended' && checks.length > 0 && (
        <Action
          name="Prove it again"
          touches="runs its checks on what was recorded, in a checkout of its own; changes nothing"
          send={async () => {
            const { proven, doubts } = await post<{ proven: boolean; doubts: string[] }>(
              `/api/runs/${model.run}/prove`,
            );
            if (!proven) throw new Error(`not proven: ${doubts.join('; ')}`);
          }}
          done={() => model.refresh()}
        />
      )}
    </div>
  );
}

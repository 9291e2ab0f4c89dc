import type { AnyEvent, LoopEvent, Recorded } from '../../../machines/events.ts';
import type { CatalogueEntry } from '../../../machines/index.ts';
import { consequenceOf, type Dated } from '../given-facts.ts';

/** A run as code that passes when it is pasted into a test: `given(loop, …).when(…).then(…)`. */
export function recordedExample(loop: CatalogueEntry, opening: Opening, events: readonly Dated<AnyEvent>[]): string {
  const history = [`environment.openings[${JSON.stringify(opening.name)}]`, ...events.slice(0, -1).map(asCode)];
  const last = events.at(-1);
  const given = `given(loop,\n${history.map((line) => `  ${line},\n`).join('')})`;
  const consequence = consequenceOf(loop, [opening.event, ...events]);
  return last
    ? `${given}.when(${asCode(last)})\n  .then(${asCode(consequence)});`
    : `${given}.is(${asCode({ state: consequence.state })});`;
}

interface Opening {
  readonly name: string;
  readonly event: LoopEvent;
}

/** Recorded events as such code has them: each with the time since the previous one, where that is not a second. */
export const asDated = (events: readonly Recorded<LoopEvent>[], beganAt: string): Dated<AnyEvent>[] =>
  events.map(({ type, payload, at }, index) => {
    const afterMs = Date.parse(at) - Date.parse(events[index - 1]?.at ?? beganAt);
    return afterMs === A_SECOND_MS ? { type, payload } : { type, payload, afterMs };
  });

const A_SECOND_MS = 1000;

/** JSON, without quotes around the names that need none. */
const asCode = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/"(?:[^"\\]|\\.)*"(:?)/g, (text, colon: string) =>
      colon && NAME.test(text) ? `${text.slice(1, -2)}: ` : text,
    )
    .replaceAll(/,(?=[a-zA-Z_{])/g, ', ');

const NAME = /^"[a-zA-Z_]\w*":$/;

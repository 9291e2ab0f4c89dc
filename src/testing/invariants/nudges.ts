import type { Wandering } from '../wander.ts';
import { type Invariant, InvariantBroken } from './invariant.ts';

/** What somebody was asked to do, as it was said at one version of a run. */
export interface Prompt {
  readonly version: number;
  readonly text: string;
}

/** What a decision to go on has to say is in the very next prompt. How prompts are made is the loop's own affair. */
export const nudgesAreHeard = (promptsOf: (run: Wandering) => readonly Prompt[]): Invariant => ({
  name: 'a nudge is always followed by a prompt that contains it',
  looks: 'always',
  check(run) {
    const prompts = promptsOf(run);
    for (const { event } of run.happenings) {
      if (event.type !== 'decision.made' || event.payload.action !== 'continue' || event.payload.feedback === undefined) continue;
      const next = prompts.find(({ version }) => version >= event.version);
      if (next?.text.includes(event.payload.feedback)) continue;
      throw new InvariantBroken(event.version, 'the next prompt', next?.text ?? null, `one that contains ${event.payload.feedback}`);
    }
  },
});

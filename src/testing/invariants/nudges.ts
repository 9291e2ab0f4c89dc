import type { RandomWalk } from '../random-walk.ts';
import { type Invariant, InvariantBroken } from './invariant.ts';

/** A prompt, and the version of the run at which it was sent. */
export interface Prompt {
  readonly version: number;
  readonly text: string;
}

/** The feedback of a decision to continue is part of the next prompt. `promptsOf` knows how the loop makes prompts. */
export const nudgesAreHeard = (promptsOf: (run: RandomWalk) => readonly Prompt[]): Invariant => ({
  name: 'a nudge is always followed by a prompt that contains it',
  looks: 'always',
  check(run) {
    const prompts = promptsOf(run);
    for (const { event } of run.happenings) {
      if (event.type !== 'decision.made' || event.payload.action !== 'continue' || event.payload.feedback === undefined)
        continue;
      const next = prompts.find(({ version }) => version >= event.version);
      if (next?.text.includes(event.payload.feedback)) continue;
      throw new InvariantBroken(
        event.version,
        'the next prompt',
        next?.text ?? null,
        `one that contains ${event.payload.feedback}`,
      );
    }
  },
});

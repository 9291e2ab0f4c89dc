import type { LifeReport } from './live.ts';

const COMMAND = 'npx vitest run --config test/vitest.config.ts test/simulation/simulated.test.ts';
/** The end of a trace says where a life went wrong; the command prints all of it. */
const SHOWN_LINES = 40;

/** The one life that the environment asks for, to be looked at. Null: none. */
export const askedSeed = (environment: NodeJS.ProcessEnv): number | null =>
  environment['SIMULATION_SEED'] === undefined ? null : Number(environment['SIMULATION_SEED']);

/** What went wrong in a life, how it came to it, and the command that lives it again. */
export function complaint({ seed, violations, trace }: LifeReport): string {
  const lines = [...violations, '', ...trace.slice(-SHOWN_LINES), '', `again: SIMULATION_SEED=${seed} ${COMMAND}`];
  return `the life of seed ${seed} breaks a promise:\n${lines.join('\n')}`;
}

import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';

/**
 * With the real handlers, most answers have to be ordinary: otherwise every run ends by an error.
 */
export const ordinarily = (environment: ProofEnvironment): ProofEnvironment => ({
  ...environment,
  answers: (effect, state) => {
    const all = environment.answers(effect, state);
    const [usual, other = usual] = all;
    return usual === undefined || other === undefined ? all : [...all.flatMap(() => [usual, usual, other]), ...all];
  },
});

import type { Reporter } from 'vitest/node';
import { type Tier, tierInWords } from './tier.ts';

/** Says at the beginning, and again where something failed, which part of the exhaustive sets was taken. */
export function tierReporter(tier: Tier): Reporter {
  const say = (): void => void process.stdout.write(`\n${tierInWords(tier)}\n`);
  return {
    onInit: say,
    onTestRunEnd: (_modules, _errors, reason) => {
      if (reason === 'failed') say();
    },
  };
}

import type { Reporter } from 'vitest/node';
import { slowFiles } from './slow-files.ts';
import { type Tier, tierInWords } from './tier.ts';

/**
 * Prints at the beginning, and again where something failed, which part of the exhaustive sets was taken; and at the
 * end of an `npm test` that took too long, which files took the time.
 */
export function tierReporter(tier: Tier): Reporter {
  const say = (text: string): void => void process.stdout.write(`\n${text}\n`);
  let began = 0;
  return {
    onInit: () => {
      began = performance.now();
      say(tierInWords(tier));
    },
    onTestRunEnd: (modules, _errors, reason) => {
      if (reason === 'failed') say(tierInWords(tier));
      const files = modules.map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }));
      const slow = tier.tenth === null ? null : slowFiles(files, performance.now() - began);
      if (slow !== null) say(slow);
    },
  };
}

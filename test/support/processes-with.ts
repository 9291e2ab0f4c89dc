import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The processes with a word on their command line, as this machine numbers them. One that runs behind walls knows
 * itself by another number, which here may be that of any process.
 */
export const processesWith = (word: string): readonly string[] =>
  readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(join('/proc', entry, 'cmdline'), 'utf8').includes(word);
    } catch {
      return false;
    }
  });

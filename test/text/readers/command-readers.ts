import { wordsIn } from '../../../src/detectors/own-words.ts';
import { isWritingCommand } from '../../../src/detectors/write-commands.ts';
import { startedBy } from '../../../src/evidence/command-words.ts';
import { installsPackages } from '../../../src/evidence/packages/package-files.ts';
import { listOf } from '../../../src/evidence/steps/shell-list.ts';
import { oneLine, plain } from '../../../src/text/one-line.ts';
import { pathText } from '../../../src/text/path-text.ts';
import { sentence, withoutStop } from '../../../src/text/sentence.ts';
import type { Reader } from './reader.ts';

/** Readers of commands and of arguments, and what cleans any text. */
export const COMMAND_READERS: readonly Reader[] = [
  ['plain', plain],
  ['oneLine', (text) => oneLine(text, 2_000)],
  ['pathText', (text) => pathText(text, 200)],
  ['sentence', sentence],
  ['withoutStop', withoutStop],
  ['wordsIn', (text) => wordsIn({ command: text })],
  ['isWritingCommand', isWritingCommand],
  ['startedBy', (text) => startedBy(`echo ${text}`, '.')],
  ['listOf', (text) => listOf(`echo ${text}`)],
  ['installsPackages', (text) => installsPackages([`npm ${text}`])],
];

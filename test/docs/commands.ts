import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root, run } from '../repository/tool.ts';
import { bundled } from '../support/bundled.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** The fault in a shell line of a page; null if every command in it exists. */
export function faultIn(line: string): string | null {
  const faults = line.split(/&&|\|/).map((command) => faultOf(wordsOf(command)));
  return faults.find((fault) => fault !== null) ?? null;
}

function faultOf([program, ...args]: readonly string[]): string | null {
  switch (program) {
    case 'npm':
      return faultOfNpm(args);
    case 'node':
      return existsSync(join(root, args[0] ?? '')) ? null : `there is no file ${args[0]}`;
    case 'loopfold':
      return faultOfLoopfold(args);
    default:
      return null;
  }
}

function faultOfNpm([verb = '', script]: readonly string[]): string | null {
  if (verb === 'ci' || verb === 'install') return null;
  const name = verb === 'run' ? (script ?? '') : verb;
  return name in scripts ? null : `there is no npm script ${name}`;
}

function faultOfLoopfold([verb = '', ...args]: readonly string[]): string | null {
  if (!new RegExp(`^ {2}${verb}\\b`, 'm').test(help())) return `there is no verb ${verb}`;
  const known = new Set(help(verb).match(/(?<=[\s,])--?[a-z][a-z-]*/g));
  const flag = args.find((arg) => /^--?[a-z]/.test(arg) && !known.has(arg));
  return flag === undefined ? null : `${verb} has no flag ${flag}`;
}

const helps = new Map<string, string>();

function help(...verb: readonly string[]): string {
  const key = verb.join(' ');
  const text =
    helps.get(key) ?? run(process.execPath, [bundled('src/cli/main.ts'), ...verb, '--help', 'all'], root).stdout;
  helps.set(key, text);
  return text;
}

/** Splits like a shell: quoted text is one word, and no flag. */
const wordsOf = (command: string): string[] => command.trim().match(/'[^']*'|"[^"]*"|\S+/g) ?? [];

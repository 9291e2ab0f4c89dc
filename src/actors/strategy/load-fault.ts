import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import { nearest } from '../../text/nearest.ts';
import type { CustomConfig } from '../../strategies/custom-config.ts';
import type { StrategyFault } from '../../strategies/strategy-error.ts';
import type { ThreadResult, Introduction } from './strategy-thread.ts';

/** Why a module gives no strategy: what was asked for, what is there, and a code. */
export type LoadFault = ConfigFault & { readonly code: StrategyFault };

const MODULE = 'strategy.config.modulePath';
const NAME = 'strategy.config.strategyName';
const TYPESCRIPT: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts']);

/** What can be told of a module before anything of it is run; null where nothing is wrong. */
export async function faultOfFile(path: string, { modulePath }: CustomConfig): Promise<LoadFault | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) {
    const expected = found ? `a file: ${path} is not one` : `an existing module: ${path} does not exist`;
    return coded('strategy_not_found', faultAt(MODULE, modulePath, expected, await meantBy(path, modulePath)));
  }
  if (!TYPESCRIPT.has(extname(path)) || process.features.typescript) return null;
  const expected = `JavaScript: Node ${process.versions.node} reads no TypeScript, Node 22.18 or newer does`;
  return coded('strategy_not_loaded', faultAt(MODULE, modulePath, expected));
}

/** What the first word of a thread says is wrong; null where it is ready. */
export function faultOf(
  received: ThreadResult<Introduction>,
  path: string,
  asked: CustomConfig,
  limitMs: number,
): LoadFault | null {
  const { modulePath, strategyName } = asked;
  const loads = (why: string) =>
    coded('strategy_not_loaded', faultAt(MODULE, modulePath, `a module that loads: ${path} ${why}`));
  if (received.kind === 'broken') return loads(`fails: ${received.message}`);
  if (received.kind === 'gone') return loads(`ends its thread, or waits for ever (exit code ${received.exitCode})`);
  if (received.kind === 'stopped') return loads(`is not done after ${limitMs / 1_000} s`);
  const { said } = received;
  switch (said.kind) {
    case 'ready':
      return null;
    case 'not_loaded':
      return loads(`fails: ${said.message}`);
    case 'not_exported': {
      const exports = said.exports.join(', ') || 'nothing';
      const meant = nearest(strategyName, said.exports);
      return coded(
        'strategy_not_exported',
        faultAt(NAME, strategyName, `an export of ${path}, which has: ${exports}`, meant),
      );
    }
    case 'not_made':
      return coded(
        'strategy_not_made',
        faultAt(NAME, strategyName, `a strategy that can be made: it throws ${said.message}`),
      );
    case 'incomplete': {
      const expected = `a strategy: ${strategyName} has to have ${said.lacks}, and there is ${said.found}`;
      return coded('strategy_incomplete', faultAt(NAME, strategyName, expected));
    }
  }
}

/** A file beside it with nearly that name. */
async function meantBy(path: string, modulePath: string): Promise<string | null> {
  const beside = await readdir(dirname(path)).catch(() => []);
  const meant = nearest(basename(path), beside);
  return meant === null ? null : join(dirname(modulePath), meant);
}

const coded = (code: StrategyFault, fault: ConfigFault): LoadFault => ({ ...fault, code });

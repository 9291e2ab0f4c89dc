import { join } from 'node:path';
import { z } from 'zod';
import { root, runTool } from './tool.ts';

/**
 * Raise it as the tree grows: a cruise that sees less than this has not seen the tree, and its silence means nothing.
 */
export const fewestModules = 100;

export interface Broken {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Cruise {
  readonly modules: readonly string[];
  readonly rules: readonly string[];
  readonly broken: readonly Broken[];
}

const Report = z.object({
  modules: z.array(z.object({ source: z.string(), dependencies: z.array(z.object({ resolved: z.string() })) })),
  summary: z.object({
    ruleSetUsed: z.object({ forbidden: z.array(z.object({ name: z.string() })) }),
    violations: z.array(z.object({ rule: z.object({ name: z.string() }), from: z.string(), to: z.string() })),
  }),
});
type Module = z.infer<typeof Report>['modules'][number];

const compositionRule = 'only-hosts-compose';

/** Every module of `machines` and `src` in a folder, and every import there that the layer rules forbid. */
export function cruise(folder: string): Cruise {
  const rules = ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json'];
  const ran = runTool('dependency-cruiser', [...rules, 'machines', 'src'], folder, 'depcruise');
  if (ran.stdout === '') throw new Error(`dependency-cruiser looked at nothing: ${ran.output}`);
  const { modules, summary } = Report.parse(JSON.parse(ran.stdout));
  const own = modules.filter(({ source }) => /^(machines|src)\//.test(source));
  return {
    modules: own.map(({ source }) => source),
    rules: [...summary.ruleSetUsed.forbidden.map(({ name }) => name), compositionRule],
    broken: [
      ...summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
      ...own.flatMap(composesOutsideHosts),
    ],
  };
}

/** Not a rule dependency-cruiser can state: it judges one import at a time, and here two together are the offence. */
function composesOutsideHosts({ source, dependencies }: Module): Broken[] {
  if (source.startsWith('src/hosts/')) return [];
  const imported = dependencies.map(({ resolved }) => resolved);
  const engine = imported.find((path) => /^src\/log\/(memory|sqlite|postgres)\//.test(path));
  const actor = imported.find((path) => /^src\/actors\/[^/]+\//.test(path));
  if (engine === undefined || actor === undefined) return [];
  return [{ rule: compositionRule, from: source, to: `${engine} and ${actor}` }];
}

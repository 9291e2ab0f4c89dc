import type { FileExtractResult, MachineEdit, MachineExtractResult } from '@xstate/machine-extractor';
import { createRequire, registerHooks } from 'node:module';

/**
 * The extractor asks XState 4 for values that stand for actions. Only charts that name their actions are read here, so
 * any value will do, and no second XState is needed.
 */
const STAND_IN = 'stand-in:xstate';
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('xstate/lib/')
      ? { url: STAND_IN, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === STAND_IN
      ? { format: 'commonjs', source: 'module.exports = new Proxy({}, { get: () => () => ({}) });', shortCircuit: true }
      : next(url, context),
});

const { extractMachinesFromFile } = createRequire(import.meta.url)('@xstate/machine-extractor') as {
  extractMachinesFromFile(text: string): FileExtractResult | null;
};

/** The one chart of a source, as a reader of its text alone finds it. */
export function extracted(text: string): MachineExtractResult {
  const [machine, ...others] = extractMachinesFromFile(text)?.machines ?? [];
  if (!machine || others.length > 0) throw new Error('expected a source with exactly one chart');
  return machine;
}

/** A source after edits that were made in its chart, one after the other. */
export const edited = (text: string, edits: readonly MachineEdit[]): string => edits.reduce(editedOnce, text);

function editedOnce(text: string, edit: MachineEdit): string {
  const { configEdit, layoutEdit } = extracted(text).modify([edit], { v5: true });
  const {
    newText,
    range: [from, to],
  } = (layoutEdit as typeof configEdit | undefined) ?? configEdit;
  return text.slice(0, from.index) + newText + text.slice(to.index);
}

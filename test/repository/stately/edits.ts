import type { MachineEdit } from '@xstate/machine-extractor';
import { edited, extracted } from './extractor.ts';

/** A change to a machine's source: what an editor of charts does, and what a person adds behind the names. */
export type Edit = (text: string) => string;

export const chart =
  (...edits: readonly MachineEdit[]): Edit =>
  (text) =>
    edited(text, edits);

export const both =
  (...edits: readonly Edit[]): Edit =>
  (text) =>
    edits.reduce((before, edit) => edit(before), text);

/** Editors change what stands in `createMachine`; what is behind a name is written by hand. */
export const provide =
  (kind: 'guards' | 'actions', member: string): Edit =>
  (text) =>
    text.replace(new RegExp(`^( {2}${kind}: \\{)$`, 'm'), `$1\n    ${member},`);

/** The name of an implementation, where it is provided. */
const provideAs =
  (kind: 'guards' | 'actions', name: string, next: string): Edit =>
  (text) => {
    const from = text.search(new RegExp(`^ {2}${kind}: \\{$`, 'm'));
    return text.slice(0, from) + text.slice(from).replace(new RegExp(`^ {4}${name}:`, 'm'), `    ${next}:`);
  };

export const renameGuard =
  (name: string, next: string): Edit =>
  (text) => {
    const places = extracted(text)
      .getTransitions()
      .filter(({ config }) => config?.guard?.name === name);
    const edits = places.map(({ fromPath: path, transitionPath }) => ({
      type: 'edit_guard' as const,
      path,
      transitionPath,
      name: next,
    }));
    return both(chart(...edits), provideAs('guards', name, next))(text);
  };

export const renameAction =
  (name: string, next: string): Edit =>
  (text) => {
    const edits = extracted(text)
      .getTransitions()
      .flatMap(({ config, fromPath: path, transitionPath }) =>
        (config?.actions ?? []).flatMap((action, index) =>
          action.name === name
            ? [{ type: 'edit_action' as const, path, actionPath: [...transitionPath, index] as never, name: next }]
            : [],
        ),
      );
    return both(chart(...edits), provideAs('actions', name, next))(text);
  };

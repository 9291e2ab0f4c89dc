import type { CatalogueEntry } from '../../../machines/index.ts';
import { guardsWithin, type Named } from './chart-in-source.ts';

type Machine = CatalogueEntry['machine'];

/** The guards that guards of `setup` combine by `and`, `or` and `not`. */
export const namesCombined = ({ implementations }: Machine): Named[] =>
  Object.entries<unknown>(implementations.guards).flatMap(([name, guard]) =>
    guardsWithin(guard, `setup.guards.${name}`),
  );

/**
 * The names that `enqueueActions` in `setup` enqueues or checks. XState keeps only the code of its function, so a name
 * that is a string in that code counts as used.
 */
export const namesEnqueued = ({ implementations }: Machine): Named[] =>
  Object.entries<unknown>(implementations.actions).flatMap(([action, made]) => {
    const code = codeOf(made);
    return (['actions', 'guards'] as const).flatMap((kind) =>
      Object.keys(implementations[kind])
        .filter((name) => ["'", '"', '`'].some((quote) => code.includes(quote + name + quote)))
        .map((name) => ({ kind, name, place: `setup.actions.${action}` })),
    );
  });

function codeOf(action: unknown): string {
  const collect: unknown = typeof action === 'function' ? Reflect.get(action, 'collect') : undefined;
  return typeof collect === 'function' ? String(collect) : '';
}

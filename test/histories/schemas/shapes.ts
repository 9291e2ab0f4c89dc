/** The payloads whose members are not those of an earlier one: enough to have every member once, and short. */
export function distinctShapes(payloads: readonly object[]): object[] {
  const shapes = new Map<string, object>();
  for (const payload of payloads.toSorted((one, other) => lengthOf(one) - lengthOf(other))) {
    const seen = new Set([...shapes.values()].flatMap((one) => membersOf(one)));
    const adds = membersOf(payload).some((member) => !seen.has(member));
    if (adds || shapes.size === 0) shapes.set(JSON.stringify(payload), payload);
  }
  return [...shapes.values()];
}

/** `limits.maxSteps:number`: where each value lies, and of which kind it is. */
function membersOf(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object') return [`${path}:${value === null ? 'null' : typeof value}`];
  if (Array.isArray(value)) return [`${path}:${value.length === 0 ? 'none' : 'some'}`, ...value.flatMap((item) => membersOf(item, `${path}[]`))];
  return Object.entries(value).flatMap(([name, inner]) => membersOf(inner, `${path}.${name}`));
}

const lengthOf = (payload: object): number => JSON.stringify(payload).length;

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/**
 * The first name that an object of a JSON text has twice; null where there is none. `JSON.parse` takes the last member
 * of that name, and a person, or another program, may read the first.
 *
 * @example
 * doubledName('{"ending": "success", "ending": "abort"}'); // 'ending'
 */
export function doubledName(json: string): string | null {
  const open: Set<string>[] = [];
  let text = '""';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token !== ':') text = token;
    else {
      const name = JSON.parse(text) as string;
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return null;
}

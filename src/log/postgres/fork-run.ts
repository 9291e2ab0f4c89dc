import type { Client } from './driver.ts';

interface Asked {
  readonly from: string;
  readonly at: number;
  readonly to: string;
}

/** The owner of a version of a run, by its key, with the hash there. */
export const OWNER = `
  WITH RECURSIVE line AS (
    SELECT key, prefix, prefix_version, $2::int AS upto FROM runs WHERE run = $1
    UNION ALL
    SELECT r.key, r.prefix, r.prefix_version, least(l.upto, l.prefix_version) FROM runs r
    JOIN line l ON r.key = l.prefix AND r.key < l.key
  ) SELECT encode(e.hash, 'hex') AS hash, e.at FROM line l
  JOIN events e ON e.run = l.key AND e.version = $2 AND e.version <= l.upto`;

type Forked = 'forked' | 'unknown_run' | 'exists' | { readonly head: number };

/** Opens a run behind the versions that it shares with another. */
export async function forkRun(
  client: Client,
  { from, at, to }: Asked,
  given: number | null,
  isAgain: boolean,
): Promise<Forked> {
  const { rows: found } = await client.query<{ key: number; version: number }>(
    'SELECT key, version FROM runs WHERE run = $1',
    [from],
  );
  const of = found[0];
  if (!of) return 'unknown_run';
  const { rows: others } = await client.query<{ is_same: boolean }>(
    'SELECT prefix = $2 AND prefix_version = $3 AND version = $3 AS is_same FROM runs WHERE run = $1',
    [to, of.key, Number.isSafeInteger(at) ? at : 0],
  );
  if (others[0]) return isAgain && others[0].is_same ? 'forked' : 'exists';
  if (!Number.isSafeInteger(at) || at < 1 || at > of.version) return { head: of.version };
  const { rows: owners } = await client.query<{ hash: string }>(OWNER, [from, at]);
  const hash = owners[0]?.hash;
  if (hash === undefined) return { head: of.version };
  await client.query(
    `INSERT INTO runs (run, root, prefix, prefix_version, created_at, updated_at, version, hash)
     SELECT $1, $1, $2, $3, t, t, $3, decode($4, 'hex') FROM store_time($5) AS t`,
    [to, of.key, at, hash, given],
  );
  return 'forked';
}

import { type StoreAudit, type StoreFault, MAX_FAULTS } from '../log.ts';
import { RESTORE_SERVER } from './server-failure.ts';
import { records } from './run-records.ts';
import type { Server } from './server.ts';

interface Found {
  readonly place: string;
  readonly reason: string;
}

/** Queries for what rows say and the events do not, and for what belongs to nothing: places and reasons. */
const QUERIES: readonly string[] = [
  `SELECT 'runs, run ' || r.run AS place, 'its row says version ' || r.version || ', and its last event is ' ||
     coalesce(l.version, r.prefix_version) || ', or another one' AS reason
   FROM runs r LEFT JOIN LATERAL (
     SELECT version, hash FROM events WHERE run = r.key ORDER BY version DESC LIMIT 1
   ) l ON true
   WHERE coalesce(l.version, r.prefix_version) <> r.version OR l.hash <> r.hash`,
  `SELECT 'runs, run ' || run AS place, 'it continues a run that is not in the log' AS reason
   FROM runs r WHERE prefix IS NULL AND prefix_version > 0 OR prefix >= key`,
  `SELECT 'events, position ' || min(position) AS place, count(*) || ' events belong to no run' AS reason
   FROM events e WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.key = e.run) GROUP BY e.run`,
  `SELECT 'leases, tree ' || root AS place, 'its epoch is older than that of its events' AS reason FROM leases l
   WHERE EXISTS (SELECT 1 FROM runs r JOIN events e ON e.run = r.key WHERE r.root = l.root AND e.epoch > l.epoch)`,
  `SELECT 'runs, run ' || run AS place, 'its row lets epoch ' || epoch || ' write, and its lease does not' AS reason
   FROM runs r WHERE closed IS NULL AND epoch IS NOT NULL AND NOT EXISTS (
     SELECT 1 FROM leases l WHERE l.root = r.root AND l.epoch = r.epoch AND l.holder IS NOT NULL)`,
  `SELECT 'outbox, ' || o.run || '/' || o.version AS place, 'it reports an event that is not in the log' AS reason
   FROM outbox o WHERE NOT EXISTS (
     SELECT 1 FROM runs r JOIN events e ON e.run = r.key AND e.version = o.version WHERE r.run = o.run)`,
];

/** The audit of a log on a server. What lies in its files the server looks after. */
export function serverAudit(server: Server): StoreAudit {
  return {
    warnings: [],
    async audit() {
      const found: Found[] = [];
      for (const query of QUERIES) found.push(...(await server.reading<Found>(query)));
      found.push(...(await otherEndings(server)));
      return found.slice(0, MAX_FAULTS).map(({ place, reason }): StoreFault => ({
        place,
        reason,
        remedy: RESTORE_SERVER,
      }));
    },
  };
}

async function otherEndings(server: Server): Promise<readonly Found[]> {
  const rows = await server.reading<{ run: string; closed: string | null }>('SELECT run, closed FROM runs');
  const said = new Map(rows.map(({ run, closed }) => [run, closed]));
  return (await records(server, 'ORDER BY r.key')).flatMap(({ run, closed }) => {
    const noted = said.get(run) ?? null;
    if (noted === closed) return [];
    return [
      { place: `runs, run ${run}`, reason: `its row says ${inWords(noted)}, and its events say ${inWords(closed)}` },
    ];
  });
}

const inWords = (ending: string | null): string => ending ?? 'that it is open';

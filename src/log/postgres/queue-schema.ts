import { LEASE_TTL_MS, MAX_CLOCK_AHEAD_MS } from '../lease-store.ts';
import { SUBMISSION_COLUMNS } from '../submission-row.ts';

/** Runs that wait for a worker. `seen`: the versions of all runs of its tree, added up, when it was found to wait. */
const TABLE = `
CREATE TABLE submissions (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run text COLLATE "C" NOT NULL UNIQUE,
  task text NOT NULL,
  limit_key text COLLATE "C",
  at_once int,
  at bigint NOT NULL,
  due_at bigint NOT NULL,
  standing text NOT NULL,
  seen bigint,
  crashes int NOT NULL DEFAULT 0,
  tries int NOT NULL DEFAULT 0,
  because text
);
CREATE INDEX submissions_due ON submissions (due_at, key) WHERE standing IN ('due', 'claimed');
CREATE INDEX submissions_waiting ON submissions (run) WHERE standing = 'waits';
CREATE INDEX submissions_of_key ON submissions (limit_key) WHERE standing = 'claimed';
CREATE INDEX submissions_open ON submissions (key) WHERE standing <> 'over';
`;

/** A condition on a row `l` of leases: no living process holds it. */
const IS_FREE = `(l.holder IS NULL OR l.holder = ANY(gone) OR l.expires_at <= moment
  OR l.expires_at > moment + ${LEASE_TTL_MS + MAX_CLOCK_AHEAD_MS})`;

/**
 * Takes the lease of what is due the longest. A row that another claim looks at is passed over, and so is a key that
 * one does: who holds the lock of a key counts its runs as they are. `gone`: holders that are known to be dead, as
 * the column has them. `passed`: runs that the caller leaves to others.
 */
const CLAIM = `
CREATE FUNCTION claim_submission(claimer text, passed text[], gone text[], given bigint)
RETURNS TABLE(run text, epoch int, lapsed_holder text, lapsed_expires_at bigint, was_due boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  moment bigint := store_time(given);
  one record;
  taken int;
  tried text[] := passed;
BEGIN
  LOOP
    SELECT s.run, s.limit_key, s.at_once, s.standing, l.holder, l.expires_at INTO one
    FROM submissions s LEFT JOIN leases l ON l.root = s.run
    WHERE s.standing IN ('due', 'claimed') AND s.due_at <= moment AND s.run <> ALL(tried) AND ${IS_FREE}
    ORDER BY s.due_at, s.key LIMIT 1 FOR UPDATE OF s SKIP LOCKED;
    IF NOT FOUND THEN RETURN; END IF;
    tried := tried || one.run;
    IF one.limit_key IS NOT NULL THEN
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended('loopfold limit ' || one.limit_key, 0));
      CONTINUE WHEN one.at_once <= (
        SELECT count(*) FROM submissions s JOIN leases l ON l.root = s.run
        WHERE s.limit_key = one.limit_key AND s.standing = 'claimed' AND s.run <> one.run AND NOT ${IS_FREE}
      );
    END IF;
    INSERT INTO leases AS l (root, epoch, holder, expires_at)
    VALUES (one.run, 1, claimer, moment + ${LEASE_TTL_MS})
    ON CONFLICT (root) DO UPDATE
      SET epoch = l.epoch + 1, holder = claimer, expires_at = moment + ${LEASE_TTL_MS} WHERE ${IS_FREE}
    RETURNING l.epoch INTO taken;
    CONTINUE WHEN taken IS NULL;
    UPDATE submissions s SET standing = 'claimed',
      crashes = s.crashes + CASE WHEN one.holder IS NULL THEN 0 ELSE 1 END WHERE s.run = one.run;
    RETURN QUERY SELECT one.run, taken, one.holder, one.expires_at, one.standing = 'due';
    RETURN;
  END LOOP;
END $$;
`;

export const QUEUE_MIGRATION = TABLE + CLAIM;

/** The columns of a row, with numbers that the driver reads as such. */
export const SELECT_SUBMISSIONS = `SELECT ${SUBMISSION_COLUMNS} FROM submissions`;

/** Whether a tree has something new: a condition on a row of submissions. */
export const HAS_NEWS = `(
  coalesce((SELECT sum(r.version) FROM runs r WHERE r.root = submissions.run), 0) <> coalesce(submissions.seen, 0)
  OR EXISTS (SELECT 1 FROM inbox i WHERE i.root = submissions.run AND i.delivered IS NULL AND i.rejected IS NULL))`;

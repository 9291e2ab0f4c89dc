/**
 * The row of a run names the epoch that may append to it: that of the lease on its tree, while a process holds it, else
 * null. So an append looks at one row, and the lock of that row is enough: a transaction that changes the lease changes
 * the row, and so waits for an append that is under way.
 *
 * Triggers do it for every statement that changes a lease, also for those of processes that do not know the column. A
 * run is locked after the lease of its tree, and runs in the order of their names, so that no two transactions wait for
 * each other in a circle. A new run waits for a transaction that changes its lease, and would not see the run.
 */
export const WRITER_EPOCHS = `
LOCK TABLE leases, runs IN ACCESS EXCLUSIVE MODE;
ALTER TABLE runs ADD COLUMN epoch int;
UPDATE runs SET epoch = l.epoch FROM leases l WHERE l.root = runs.root AND l.holder IS NOT NULL AND runs.closed IS NULL;

CREATE FUNCTION epoch_of_lease() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SELECT epoch INTO NEW.epoch FROM leases WHERE root = NEW.root AND holder IS NOT NULL FOR SHARE;
  RETURN NEW;
END $$;
CREATE TRIGGER epoch_of_lease BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION epoch_of_lease();

CREATE FUNCTION epoch_to_runs() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM 1 FROM runs WHERE root = NEW.root AND closed IS NULL ORDER BY run FOR NO KEY UPDATE;
  UPDATE runs SET epoch = CASE WHEN NEW.holder IS NOT NULL THEN NEW.epoch END
  WHERE root = NEW.root AND closed IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER epoch_of_new_lease AFTER INSERT ON leases FOR EACH ROW EXECUTE FUNCTION epoch_to_runs();
CREATE TRIGGER epoch_to_runs AFTER UPDATE ON leases FOR EACH ROW
  WHEN (OLD.epoch <> NEW.epoch OR (OLD.holder IS NULL) <> (NEW.holder IS NULL)) EXECUTE FUNCTION epoch_to_runs();
`;

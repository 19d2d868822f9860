-- What TypeORM cannot describe about jobs: docs/jobs.md.

-- Chunks of logs that began on one day. Their names are those of src/jobs/job-logs/job-log.entity.ts.
CREATE TABLE job_log_chunks_0 PARTITION OF job_log_chunks FOR VALUES IN (0);
CREATE TABLE job_log_chunks_1 PARTITION OF job_log_chunks FOR VALUES IN (1);
CREATE TABLE job_log_chunks_2 PARTITION OF job_log_chunks FOR VALUES IN (2);
CREATE TABLE job_log_chunks_3 PARTITION OF job_log_chunks FOR VALUES IN (3);
CREATE TABLE job_log_chunks_4 PARTITION OF job_log_chunks FOR VALUES IN (4);
CREATE TABLE job_log_chunks_5 PARTITION OF job_log_chunks FOR VALUES IN (5);
CREATE TABLE job_log_chunks_6 PARTITION OF job_log_chunks FOR VALUES IN (6);
CREATE TABLE job_log_chunks_7 PARTITION OF job_log_chunks FOR VALUES IN (7);

-- Leases change with every line of a log: room on each page keeps these updates out of the indexes.
ALTER TABLE job_leases SET (fillfactor = 50);

-- The transitions of a job. A status without successors is final.
CREATE FUNCTION guard_job_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.status = OLD.status
            OR OLD.status = 'queued' AND NEW.status IN ('pending', 'canceled', 'rejected', 'failed', 'timed_out')
            OR OLD.status = 'pending' AND NEW.status IN ('in_progress', 'queued', 'canceled', 'rejected', 'failed', 'timed_out')
            OR OLD.status = 'in_progress' AND NEW.status IN ('succeeded', 'canceled', 'rejected', 'failed', 'timed_out')
            OR OLD.status = 'in_progress' AND NEW.status = 'queued' AND OLD.attempts = 1
        THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'A job cannot change from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END
$$;
CREATE TRIGGER guard_job_status BEFORE UPDATE OF status ON jobs FOR EACH ROW EXECUTE FUNCTION guard_job_status();

-- Chunks have no foreign key, which would lock the job for each of them.
CREATE FUNCTION delete_job_log_chunks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM job_log_chunks WHERE slot = OLD.slot AND job_id = OLD.id;
        RETURN NULL;
    END
$$;
CREATE TRIGGER delete_job_log_chunks AFTER DELETE ON job_logs FOR EACH ROW EXECUTE FUNCTION delete_job_log_chunks();

-- An app that moves to another organization takes its jobs along.
CREATE FUNCTION move_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE jobs SET organization_id = NEW.organization_id WHERE app_id = NEW.id;
        RETURN NULL;
    END
$$;
CREATE TRIGGER move_jobs AFTER UPDATE OF organization_id ON apps FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id) EXECUTE FUNCTION move_jobs();

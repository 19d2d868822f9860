import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { isPassing } from '../../api/client';
import { FailureNote } from '../failure';
import { Lines } from './lines';
import { LogStore } from './log-store';

interface LogViewProps {
  readonly jobId: string;
  /** What is known of the job: when it is another one, lines may have come, also to a log that was complete. */
  readonly revision: string;
  /** In place of a log that has no line yet. */
  readonly waiting: ReactNode;
}

/** The log of a job: the end first, with what comes while it runs. */
export function LogView(props: LogViewProps): ReactNode {
  return <OneLog key={props.jobId} {...props} />;
}

function OneLog({ jobId, revision, waiting }: LogViewProps): ReactNode {
  const [store] = useState(() => new LogStore(jobId));
  const state = useSyncExternalStore(store.subscribe, store.state);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    void store.follow(stop.signal);
    return () => stop.abort();
  }, [store, attempt, revision]);
  const { isLoaded, total, isComplete, isDeleted, problem } = state;

  if (isDeleted) {
    return (
      <div className="card pad muted">
        The log was deleted: its retention period has ended. The build and what it made are not affected.
      </div>
    );
  }
  if (problem !== null && !isPassing(problem))
    return <FailureNote error={problem} onRetry={() => setAttempt(attempt + 1)} what="log" />;
  if (!isLoaded) {
    return problem === null ? (
      <div className="card pad muted late">The log is on its way.</div>
    ) : (
      <FailureNote error={problem} onRetry={() => store.wake()} what="log" />
    );
  }
  if (total === 0) {
    return <div className="card pad muted">{isComplete ? 'The log is empty.' : waiting}</div>;
  }
  return <Lines jobId={jobId} store={store} />;
}

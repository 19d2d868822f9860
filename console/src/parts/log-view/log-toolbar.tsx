import { type ReactNode, useState } from 'react';
import { readRawLog } from '../../api/logs';
import { FailureNote } from '../failure';
import { count } from '../format';
import { Icon } from '../icons';
import type { LogSearch } from './search';

interface ToolbarProps {
  readonly jobId: string;
  readonly search: LogSearch;
  readonly isComplete: boolean;
  readonly isFollowing: boolean;
  readonly onFollow: () => void;
  readonly withTimes: boolean;
  readonly onTimes: () => void;
  /** `null`: there is nothing to fold. */
  readonly folds: string | null;
  readonly onFolds: () => void;
  /** @returns whether the log has such a line */
  readonly onLine: (text: string) => boolean;
  readonly chosen: readonly [first: number, last: number] | null;
  readonly onCopyChosen: () => void;
  readonly onCopyLink: () => void;
  /** What was copied a moment ago. */
  readonly copied: 'lines' | 'link' | null;
}

/** What one does with a log: search, go to a line, fold, copy, download. */
export function LogToolbar(props: ToolbarProps): ReactNode {
  const { jobId, search, isComplete, isFollowing, onFollow, withTimes, onTimes } = props;
  const { folds, onFolds, onLine, chosen, onCopyChosen, onCopyLink, copied } = props;
  return (
    <div className="log-tools">
      <SearchField search={search} />
      <LineField onLine={onLine} />
      <div className="actions">
        {chosen === null ? null : (
          <>
            <button type="button" className="button plain" onClick={onCopyChosen}>
              {copied === 'lines' ? 'Copied' : chosen[0] === chosen[1] ? 'Copy line' : 'Copy lines'}
            </button>
            <button type="button" className="button plain" onClick={onCopyLink}>
              {copied === 'link' ? 'Copied' : 'Copy link'}
            </button>
          </>
        )}
        {folds === null ? null : (
          <button type="button" className="button plain" onClick={onFolds}>
            {folds}
          </button>
        )}
        <button type="button" className="button plain" aria-pressed={withTimes} onClick={onTimes}>
          Times
        </button>
        <Download jobId={jobId} />
        {isComplete ? (
          <button type="button" className="button plain" onClick={onFollow}>
            To the end
          </button>
        ) : (
          <button type="button" className="button plain" aria-pressed={isFollowing} onClick={onFollow}>
            Follow
          </button>
        )}
      </div>
    </div>
  );
}

function SearchField({ search }: { search: LogSearch }): ReactNode {
  const { text, setText, found, total, index, error, go } = search;
  const hasHits = total !== null && total > 0;
  const words =
    error !== null
      ? 'The search failed'
      : found === ''
        ? ''
        : total === null
          ? 'Searching'
          : total === 0
            ? 'No hit'
            : `${count((index ?? 0) + 1)} of ${count(total)}`;
  return (
    <div className="log-search">
      <input
        type="search"
        className="field"
        aria-label="Search the log"
        placeholder="Search the log"
        maxLength={200}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void go(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') setText('');
        }}
      />
      <span className="small muted" role="status" title={error?.message}>
        {words}
      </span>
      {hasHits ? (
        <>
          <button type="button" className="icon-button" aria-label="Previous hit" onClick={() => void go(-1)}>
            <Icon name="up" />
          </button>
          <button type="button" className="icon-button" aria-label="Next hit" onClick={() => void go(1)}>
            <Icon name="downward" />
          </button>
        </>
      ) : null}
    </div>
  );
}

/** Goes to a line, or chooses some. */
function LineField({ onLine }: { onLine: (text: string) => boolean }): ReactNode {
  const [text, setText] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const isThere = onLine(text);
        setIsWrong(!isThere);
        if (isThere) setText('');
      }}
    >
      <input
        className="field log-line"
        name="line"
        autoComplete="off"
        aria-label="Go to line"
        placeholder="Line"
        title="A line such as 120, or several such as 120-130"
        aria-invalid={isWrong}
        maxLength={21}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setIsWrong(false);
        }}
      />
    </form>
  );
}

/** Saves the log as it was written. */
function Download({ jobId }: { jobId: string }): ReactNode {
  const [state, setState] = useState<'idle' | 'busy' | Error>('idle');
  const save = async (): Promise<void> => {
    if (state === 'busy') return;
    setState('busy');
    try {
      const file = URL.createObjectURL(new Blob([await readRawLog(jobId)], { type: 'text/plain' }));
      const link = document.createElement('a');
      link.href = file;
      link.download = `log-${jobId}.txt`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(file), 60_000);
      setState('idle');
    } catch (error) {
      setState(error as Error);
    }
  };
  return (
    <>
      <button type="button" className="button plain" aria-busy={state === 'busy'} onClick={() => void save()}>
        Download
      </button>
      {state instanceof Error ? <FailureNote error={state} onRetry={() => void save()} /> : null}
    </>
  );
}

import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { isPassing } from '../../api/client';
import { type LogStep, readLines } from '../../api/logs';
import { FailureNote } from '../failure';
import { counted } from '../format';
import { plain } from './ansi';
import { lastLineOf, LINE, LogLayout } from './layout';
import { LineRow, StepRow } from './log-rows';
import { LogStore } from './log-store';
import { LogToolbar } from './log-toolbar';
import { useLogSearch } from './search';

/** Pixels above and below what is seen whose rows are there, too. */
const AROUND = 4 * LINE;
/** Most lines that are copied at once. */
const MOST_COPIED = 100_000;
const NOTHING: ReadonlySet<number> = new Set();

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

/** Lines that an address names, such as `#L120` and `#L120-L130`. */
export function linesOf(hash: string): readonly [first: number, last: number] | null {
  const [, from, to] = /^#?L(\d{1,9})(?:-L?(\d{1,9}))?$/i.exec(hash) ?? [];
  if (from === undefined) return null;
  const [first, last] = [Number(from), Number(to ?? from)];
  return first === 0 || last === 0 ? null : [Math.min(first, last), Math.max(first, last)];
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

function Lines({ jobId, store }: { jobId: string; store: LogStore }): ReactNode {
  const { total, isComplete, steps, hasSteps, problem } = useSyncExternalStore(store.subscribe, store.state);
  const navigate = useNavigate();
  const { hash } = useLocation();
  const chosen = useMemo(() => linesOf(hash), [hash]);
  const [folded, setFolded] = useState<ReadonlySet<number> | null>(null);
  const [withTimes, setWithTimes] = useState(false);
  const [isFollowing, setIsFollowing] = useState(chosen === null);
  const [copied, setCopied] = useState<{ readonly what: string; readonly text: string | null } | null>(null);
  const [copyError, setCopyError] = useState<Error | null>(null);
  const [seen, setSeen] = useState({ top: 0, height: 0 });
  const box = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);

  // The steps that are there at first, without the last one and those that failed. Later ones stay as the reader wants them.
  const initial = useMemo(
    () =>
      new Set(
        steps.slice(0, -1).flatMap(({ firstLine, status }) => (status === 'failed' ? [] : [firstLine])),
      ),
    // Only the first steps that are read count.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [hasSteps],
  );
  const hidden = folded ?? (hasSteps ? initial : NOTHING);
  const layout = useMemo(() => new LogLayout(total, steps, hidden), [total, steps, hidden]);
  const { rows, top } = layout.rowsBetween(seen.top - AROUND, seen.top + seen.height + AROUND);
  const lines = rows.filter(({ step }) => step === null);
  const [first, last] = [lines[0]?.line ?? 1, lines.at(-1)?.line ?? 0];

  useEffect(() => store.want(first, last), [store, first, last, total]);

  useLayoutEffect(() => {
    const element = box.current!;
    const look = (): void => setSeen({ top: element.scrollTop, height: element.clientHeight });
    const watch = new ResizeObserver(look);
    watch.observe(element);
    look();
    return () => watch.disconnect();
  }, []);

  // The end stays in sight while lines come.
  useLayoutEffect(() => {
    const element = box.current!;
    if (isFollowing) element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [isFollowing, layout.height, seen.height]);

  /** Shows a line: in a third of the height, unless it is in sight. */
  const reveal = useCallback(
    (line: number): void => {
      const element = box.current!;
      const step = layout.stepOf(line);
      const isHidden = step !== null && hidden.has(step.firstLine);
      const next = new Set(hidden);
      if (isHidden) next.delete(step.firstLine);
      const target = (isHidden ? new LogLayout(total, steps, next) : layout).topOf(line);
      setIsFollowing(false);
      if (isHidden) setFolded(next);
      const isInSight =
        target >= element.scrollTop && target + LINE <= element.scrollTop + element.clientHeight;
      // With the next layout, its height is there.
      if (!isInSight || isHidden) {
        requestAnimationFrame(() => {
          element.scrollTop = target - element.clientHeight / 3;
        });
      }
      whole.current?.scrollIntoView({ block: 'nearest' });
    },
    [layout, hidden, total, steps],
  );

  // An address with a line, once its steps are known.
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (!hasSteps || chosen === null || chosen[0] > total || shown.current === hash) return;
    shown.current = hash;
    reveal(chosen[0]);
  }, [hasSteps, chosen, total, hash, reveal]);

  const choose = useCallback(
    (line: number, isRange: boolean): void => {
      const from = isRange ? (linesOf(location.hash)?.[0] ?? line) : line;
      const next = from === line ? `L${line}` : `L${Math.min(from, line)}-L${Math.max(from, line)}`;
      shown.current = next;
      setIsFollowing(false);
      void navigate({
        to: '.',
        search: true,
        hash: next,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      });
    },
    [navigate],
  );
  const goTo = (text: string): boolean => {
    const lines = linesOf(`L${text.replaceAll(/[\sL]/gi, '')}`);
    if (lines === null || lines[0] > total) return false;
    const [from, to] = lines;
    const next = from === to ? `L${from}` : `L${from}-L${to}`;
    void navigate({
      to: '.',
      search: true,
      hash: next,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
    shown.current = next;
    reveal(from);
    return true;
  };

  const search = useLogSearch(jobId, isComplete ? null : total, () => first, reveal);

  const copy = async (what: string, from: number, to: number): Promise<void> => {
    setCopyError(null);
    try {
      if (to - from >= MOST_COPIED) throw new Error('This is too long to copy. Download the log.');
      const lines = await readLines(jobId, from, to);
      const text = lines.map((line) => `${plain(line.text)}\n`).join('');
      // Over plain http there is no clipboard.
      const isDone = await navigator.clipboard?.writeText(text).then(
        () => true,
        () => false,
      );
      setCopied({ what, text: isDone ? null : text });
    } catch (error) {
      setCopyError(error as Error);
    }
  };
  useEffect(() => {
    if (copied?.text !== null) return undefined;
    const timer = setTimeout(() => setCopied(null), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copyStep = (step: LogStep): void =>
    void copy(`step ${step.firstLine}`, step.firstLine, lastLineOf(step, total));
  const toggle = ({ firstLine }: LogStep): void => {
    const next = new Set(hidden);
    if (!next.delete(firstLine)) next.add(firstLine);
    setIsFollowing(false);
    setFolded(next);
  };
  const hasFolded = steps.some(({ firstLine }) => hidden.has(firstLine));
  const toggleAll = (): void => {
    setIsFollowing(false);
    setFolded(hasFolded ? NOTHING : new Set(steps.map(({ firstLine }) => firstLine)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Readonly<Record<string, () => void>> = {
      '/': () => whole.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
      n: () => void search.go(1),
      N: () => void search.go(-1),
      f: () => setIsFollowing(true),
      t: () => setWithTimes(!withTimes),
      g: () => whole.current?.querySelector<HTMLInputElement>('input[name=line]')?.focus(),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const isChosen = (line: number): boolean => chosen !== null && line >= chosen[0] && line <= chosen[1];

  return (
    // The keys are shortcuts of what is on the page.
    <div className="card log" ref={whole} onKeyDown={onKeyDown}>
      <LogToolbar
        jobId={jobId}
        search={search}
        isComplete={isComplete}
        isFollowing={isFollowing}
        onFollow={() => setIsFollowing(true)}
        withTimes={withTimes}
        onTimes={() => setWithTimes(!withTimes)}
        folds={steps.length < 2 ? null : hasFolded ? 'Unfold all' : 'Fold all'}
        onFolds={toggleAll}
        onLine={goTo}
        chosen={chosen}
        onCopyChosen={() => chosen && void copy('lines', chosen[0], Math.min(chosen[1], total))}
        isCopied={copied?.what === 'lines' && copied.text === null}
      />
      <FailureNote error={copyError} />
      {copied === null || copied.text === null ? null : (
        <div className="log-copy">
          <label className="small muted" htmlFor="log-copy">
            The clipboard needs https: copy the text from here.
          </label>
          <textarea id="log-copy" readOnly value={copied.text} rows={4} ref={(field) => field?.select()} />
        </div>
      )}
      <div
        className="log-box"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Log"
        aria-keyshortcuts="/ n Shift+N f t g"
        onWheel={({ deltaY, currentTarget: { scrollHeight, clientHeight } }) => {
          if (deltaY < 0 && scrollHeight > clientHeight) setIsFollowing(false);
        }}
        onScroll={({ currentTarget: element }) => {
          const { scrollTop, clientHeight, scrollHeight } = element;
          const isAtEnd = scrollTop + clientHeight >= scrollHeight - 1;
          if (scrollTop < lastTop.current - 1 && !isAtEnd) setIsFollowing(false);
          lastTop.current = scrollTop;
          setSeen({ top: scrollTop, height: clientHeight });
        }}
      >
        <div style={{ height: layout.height }}>
          <div className="log-rows" style={{ transform: `translateY(${top}px)` }}>
            {rows.map(({ line, step, isFolded }) =>
              step === null ? (
                <LineRow
                  key={line}
                  number={line}
                  line={store.lineAt(line)}
                  withTime={withTimes}
                  isChosen={isChosen(line)}
                  isHit={search.line === line}
                  searched={search.found}
                  onChoose={choose}
                />
              ) : (
                <StepRow
                  key={`step ${line}`}
                  step={step}
                  isFolded={isFolded}
                  isCopied={copied?.what === `step ${line}` && copied.text === null}
                  onToggle={toggle}
                  onCopy={copyStep}
                />
              ),
            )}
          </div>
        </div>
      </div>
      <div className="log-foot small muted" role="status">
        {problem === null
          ? `${counted(total, 'line')}${isComplete ? '' : isFollowing ? ', more come' : ', more come below'}`
          : 'The connection is lost. The log continues when it is back.'}
        {chosen !== null && chosen[0] > total && isComplete ? ` There is no line ${chosen[0]}.` : ''}
      </div>
    </div>
  );
}

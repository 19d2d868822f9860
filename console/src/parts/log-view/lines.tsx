import { useMediaQuery } from '@mantine/hooks';
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
import type { LogStep } from '../../api/logs';
import { FailureNote } from '../failure';
import { counted } from '../format';
import { type LineRange, linesOf, useChosenLines } from './address';
import { useCopiedLines } from './copy';
import { lastLineOf, LINE, LogLayout } from './layout';
import { LineRow, StepRow, Text } from './log-rows';
import type { LogStore } from './log-store';
import { LogToolbar } from './log-toolbar';
import { useLogSearch } from './search';

/** Pixels above and below what is seen whose rows are there, too. */
const AROUND = 4 * LINE;
/** On phones, where lines do not fit, each is two rows high; look.css has the width, too. */
const PHONE = '(max-width: 480px)';
const ROWS = 2;
const NOTHING: ReadonlySet<number> = new Set();

const isSame = (one: LineRange, other: LineRange | null): boolean =>
  other !== null && one[0] === other[0] && one[1] === other[1];

/** The lines of a log, of which the page has only those that are seen. */
export function Lines({ jobId, store }: { jobId: string; store: LogStore }): ReactNode {
  const { total, isComplete, steps, hasSteps, problem } = useSyncExternalStore(store.subscribe, store.state);
  const { chosen, setChosen } = useChosenLines();
  const [folded, setFolded] = useState<ReadonlySet<number> | null>(null);
  const [withTimes, setWithTimes] = useState(false);
  const [isFollowing, setIsFollowing] = useState(chosen === null);
  const { copied, text: uncopied, error: copyError, copy, copyLink } = useCopiedLines(jobId);
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const lineHeight = isPhone ? ROWS * LINE : LINE;
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
  const layout = useMemo(
    () => new LogLayout(total, steps, hidden, lineHeight),
    [total, steps, hidden, lineHeight],
  );
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
      const target = (isHidden ? new LogLayout(total, steps, next, lineHeight) : layout).topOf(line);
      setIsFollowing(false);
      if (isHidden) setFolded(next);
      const isInSight =
        target >= element.scrollTop && target + lineHeight <= element.scrollTop + element.clientHeight;
      // With the next layout, its height is there.
      if (!isInSight || isHidden) {
        requestAnimationFrame(() => {
          element.scrollTop = target - element.clientHeight / 3;
        });
      }
      whole.current?.scrollIntoView({ block: 'nearest' });
    },
    [layout, hidden, total, steps, lineHeight],
  );

  // An address with a line, once its steps are known. What one has chosen here is in sight.
  const shown = useRef<LineRange | null>(null);
  useEffect(() => {
    if (!hasSteps || chosen === null || chosen[0] > total || isSame(chosen, shown.current)) return;
    shown.current = chosen;
    reveal(chosen[0]);
  }, [hasSteps, chosen, total, reveal]);
  const chooseLines = useCallback(
    (range: LineRange): void => {
      shown.current = range;
      setIsFollowing(false);
      setChosen(range);
    },
    [setChosen],
  );
  const choose = useCallback(
    (line: number, isRange: boolean): void => {
      const from = isRange ? (linesOf(location.hash)?.[0] ?? line) : line;
      chooseLines([Math.min(from, line), Math.max(from, line)]);
    },
    [chooseLines],
  );
  const goTo = (text: string): boolean => {
    const range = linesOf(`L${text.replaceAll(/[\sL]/gi, '')}`);
    if (range === null || range[0] > total) return false;
    chooseLines(range);
    reveal(range[0]);
    return true;
  };

  const search = useLogSearch(jobId, isComplete ? null : total, () => first, reveal);

  // The same one for all rows, which are drawn again only when they change.
  const latestCopy = useRef(copyLink);
  latestCopy.current = copyLink;
  const copyLinkOf = useCallback(
    (line: number): void => void latestCopy.current(`link ${line}`, [line, line]),
    [],
  );
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
      l: () => chosen && void copyLink('link', chosen),
      g: () => whole.current?.querySelector<HTMLInputElement>('input[name=line]')?.focus(),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const opened = chosen !== null && chosen[0] === chosen[1] ? store.lineAt(chosen[0]) : undefined;
  const isChosen = (line: number): boolean => chosen !== null && line >= chosen[0] && line <= chosen[1];

  return (
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
        onCopyLink={() => chosen && void copyLink('link', chosen)}
        copied={copied === 'lines' || copied === 'link' ? copied : null}
      />
      <FailureNote error={copyError} />
      {uncopied === null ? null : (
        <div className="log-copy">
          <label className="small muted" htmlFor="log-copy">
            The clipboard needs https: copy the text from here.
          </label>
          <textarea id="log-copy" readOnly value={uncopied} rows={4} ref={(field) => field?.select()} />
        </div>
      )}
      <div
        className="log-box"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Log"
        aria-keyshortcuts="/ n Shift+N f t g l"
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
                  height={lineHeight}
                  isChosen={isChosen(line)}
                  isHit={search.line === line}
                  searched={search.found}
                  onChoose={choose}
                  isCopied={copied === `link ${line}`}
                  onCopyLink={copyLinkOf}
                />
              ) : (
                <StepRow
                  key={`step ${line}`}
                  step={step}
                  isFolded={isFolded}
                  isCopied={copied === `step ${line}`}
                  onToggle={toggle}
                  onCopy={copyStep}
                />
              ),
            )}
          </div>
        </div>
      </div>
      {isPhone && opened !== undefined ? (
        <div className="log-opened" role="status" aria-label={`Line ${opened.number}`}>
          <Text text={opened.text} searched={search.found} />
        </div>
      ) : null}
      <div className="log-foot small muted">
        {counted(total, 'line')}
        {isComplete ? '' : isFollowing ? ', more come' : ', more come below'}
        <span role="status">
          {problem === null ? '' : '. The connection is lost. The log continues when it is back.'}
          {chosen !== null && chosen[0] > total && isComplete ? `. There is no line ${chosen[0]}.` : ''}
        </span>
      </div>
    </div>
  );
}

import { memo, type MouseEvent, type ReactNode } from 'react';
import type { LogLine, LogStep } from '../../api/logs';
import { exactly, seconds } from '../format';
import { Icon, type IconName } from '../icons';
import { useNow } from '../texts';
import { marked, plain, spansOf } from './ansi';
import { LINE, STEP } from './layout';

const icons: Readonly<Record<LogStep['status'], readonly [icon: IconName, tone: string, word: string]>> = {
  running: ['clock', 'info', 'runs'],
  succeeded: ['check', 'good', 'succeeded'],
  failed: ['cross', 'bad', 'failed'],
  canceled: ['dash', 'off', 'canceled'],
};

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

interface LineProps {
  readonly number: number;
  /** `undefined`: it is on its way. */
  readonly line: LogLine | undefined;
  readonly withTime: boolean;
  /** In pixels. */
  readonly height: number;
  readonly isChosen: boolean;
  readonly isHit: boolean;
  /** What is searched for; empty: nothing. */
  readonly searched: string;
  readonly onChoose: (number: number, isRange: boolean) => void;
  readonly isCopied: boolean;
  readonly onCopyLink: (number: number) => void;
}

/** A line of a log with its number, which chooses it. */
export const LineRow = memo(function LineRow(props: LineProps): ReactNode {
  const { number, line, withTime, height, isChosen, isHit, searched, onChoose, isCopied, onCopyLink } = props;
  const choose = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    onChoose(number, event.shiftKey);
  };
  return (
    <div
      className={`log-row${isChosen ? ' chosen' : ''}${isHit ? ' hit' : ''}`}
      style={{ height }}
      data-line={number}
      // Where a line does not fit, all of it is shown below.
      onClick={height > LINE ? choose : undefined}
    >
      <a
        className="log-number"
        href={`#L${number}`}
        tabIndex={-1}
        onClick={choose}
        aria-label={`Line ${number}`}
      >
        {number}
      </a>
      {withTime ? (
        <time dateTime={line?.timestamp} title={line && exactly(new Date(line.timestamp))}>
          {line && clock.format(new Date(line.timestamp))}
        </time>
      ) : null}
      {line === undefined ? (
        <span className="muted">…</span>
      ) : (
        <span className={line.text.startsWith('§ ') ? 'log-text note' : 'log-text'} dir="ltr">
          <Text text={line.text} searched={searched} />
        </span>
      )}
      <button
        type="button"
        className="log-link"
        tabIndex={-1}
        aria-label={`Copy link to line ${number}`}
        onClick={(event) => {
          event.stopPropagation();
          onCopyLink(number);
        }}
      >
        {isCopied ? 'Copied' : 'Copy link'}
      </button>
    </div>
  );
});

/** A text with its colours, and with marks where it has what is searched for. */
export function Text({ text, searched }: { text: string; searched: string }): ReactNode {
  return marked(spansOf(text), searched).map(({ text: part, color, isBold, isHit }, index) => {
    const className = `${color} ${isBold ? 'ansi-bold' : ''}`.trim();
    if (isHit) {
      return (
        <mark key={index} className={className || undefined}>
          {part}
        </mark>
      );
    }
    if (className === '') return part;
    return (
      <span key={index} className={className}>
        {part}
      </span>
    );
  });
}

interface StepProps {
  readonly step: LogStep;
  readonly isFolded: boolean;
  readonly isCopied: boolean;
  readonly onToggle: (step: LogStep) => void;
  readonly onCopy: (step: LogStep) => void;
}

/** The heading of a step above its first line: shows and hides its lines. */
export function StepRow({ step, isFolded, isCopied, onToggle, onCopy }: StepProps): ReactNode {
  const { name, startedAt, endedAt, status, attempt } = step;
  const [icon, tone, word] = icons[status];
  const now = useNow(endedAt === null ? 1000 : undefined);
  const took = (endedAt === null ? now.getTime() : Date.parse(endedAt)) - Date.parse(startedAt);
  return (
    <div className="log-step" style={{ height: STEP }}>
      <button type="button" className={tone} aria-expanded={!isFolded} onClick={() => onToggle(step)}>
        <Icon name={icon} size={14} />
        <span title={plain(name)}>
          {plain(name)}
          {attempt > 1 ? ` (attempt ${attempt})` : ''}
        </span>
        <span className="visually-hidden">{word}</span>
      </button>
      <small>{seconds(Math.max(took, 0))}</small>
      <button
        type="button"
        className="button plain"
        aria-label={`Copy the step ${plain(name)}`}
        onClick={() => onCopy(step)}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

import { type ReactNode, useState } from 'react';
import { dayName, percent } from './format';
import { ShareBar } from './share-bar';

export interface Line {
  readonly name: string;
  /** Shares by day, 0 to 1, oldest first; `null`: not known. */
  readonly shares: readonly (number | null)[];
}

/** Colours of lines; the last one is for all others. Those of warnings stay theirs. */
const COLORS = ['var(--accent)', 'var(--info)', 'var(--muted)', 'var(--control)'];
/** Days below which a line says nothing. */
const FEW = 3;
/** Two names nearer than this share of the height would cover each other. */
const NAME_HEIGHT = 0.1;

/** Shares by day, with the names at the ends of their lines, and the same figures as a table. @param days `2026-10-30` */
export function LineChart({
  label,
  days,
  lines,
}: {
  label: string;
  days: readonly string[];
  lines: readonly Line[];
}): ReactNode {
  const [asTable, setAsTable] = useState(false);
  return (
    <div className="card pad">
      {asTable ? (
        <Table days={days} lines={lines} />
      ) : days.length < FEW ? (
        <Today lines={lines} />
      ) : (
        <Drawing label={label} days={days} lines={lines} />
      )}
      <div className="actions end">
        <button type="button" className="button text" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </button>
      </div>
    </div>
  );
}

/** Too few days for lines: the shares of today. */
function Today({ lines }: { lines: readonly Line[] }): ReactNode {
  return (
    <div className="stack">
      {lines.map(({ name, shares }) => (
        <div key={name}>
          <div className="between">
            <b className="break">{name}</b>
            <span>{percent(shares.at(-1))} today</span>
          </div>
          <ShareBar gets={0} runs={shares.at(-1) ?? null} />
        </div>
      ))}
    </div>
  );
}

function Drawing({
  label,
  days,
  lines,
}: {
  label: string;
  days: readonly string[];
  lines: readonly Line[];
}): ReactNode {
  const x = (index: number): number => (index / (days.length - 1)) * 100;
  const heights = placesOf(lines.map(({ shares }) => shares.at(-1) ?? 0));
  return (
    <>
      <div className="chart" role="img" aria-label={label}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          {[0, 50, 100].map((y) => (
            <line
              key={y}
              x1="0"
              x2="100"
              y1={y}
              y2={y}
              stroke="var(--line)"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {lines.map(({ name, shares }, index) =>
            stretchesOf(shares).map((stretch) => (
              <polyline
                key={`${name}-${stretch[0]}`}
                points={pointsOf(stretch, (day) => `${x(day)},${100 - (shares[day] ?? 0) * 100}`)}
                fill="none"
                stroke={COLORS[Math.min(index, COLORS.length - 1)]}
                strokeWidth={stretch.length === 1 ? 6 : 2}
                strokeDasharray={index < COLORS.length - 1 ? undefined : '1 4'}
                strokeLinejoin="round"
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
              />
            )),
          )}
        </svg>
        {[0, 0.5, 1].map((share) => (
          <span key={share} className="axis" style={{ bottom: `${share * 100}%` }}>
            {percent(share)}
          </span>
        ))}
        {lines.map(({ name, shares }, index) => (
          <b
            key={name}
            title={name}
            style={{
              bottom: `${(heights[index] ?? 0) * 100}%`,
              color: index < 3 ? COLORS[index] : 'var(--muted)',
            }}
          >
            <span>{name}</span>
            <span className="keep">{percent(shares.at(-1))}</span>
          </b>
        ))}
      </div>
      <div className="chart-days">
        <span>{dayName(days[0] ?? '')}</span>
        <span>today</span>
      </div>
    </>
  );
}

function Table({ days, lines }: { days: readonly string[]; lines: readonly Line[] }): ReactNode {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Shares by day">
      <table className="plain">
        <thead>
          <tr>
            <th>Day</th>
            {lines.map(({ name }) => (
              <th key={name} className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <td>{dayName(day)}</td>
              {lines.map(({ name, shares }) => (
                <td key={name} className="number">
                  {percent(shares[index])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A single day is a line of no length, whose round ends are a dot. */
function pointsOf(stretch: readonly number[], pointOf: (day: number) => string): string {
  const points = stretch.map(pointOf);
  return (points.length === 1 ? [...points, ...points] : points).join(' ');
}

/** Indexes of days with a figure, from the day before the first device on, cut where nothing is known. */
function stretchesOf(shares: readonly (number | null)[]): number[][] {
  const stretches: number[][] = [];
  const first = shares.findIndex((share) => share !== null && share > 0) - 1;
  let open: number[] | null = null;
  shares.forEach((share, day) => {
    if (share === null || day < first) open = null;
    else if (open === null) stretches.push((open = [day]));
    else open.push(day);
  });
  return stretches;
}

/** Heights at which names stand, moved apart where lines end close together. */
function placesOf(ends: readonly number[]): number[] {
  const order = ends.map((end, index) => ({ end, index })).sort((a, b) => a.end - b.end);
  const places: number[] = [];
  let below = -Infinity;
  for (const { end, index } of order) {
    below = Math.max(end, below + NAME_HEIGHT);
    places[index] = below;
  }
  const overflow = Math.max(0, Math.max(...places, 0) - 1);
  return places.map((place) => place - overflow);
}

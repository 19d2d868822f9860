import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** One value of a metric. */
export interface Sample {
  /** By name, as few different values as possible: nothing secret, nothing of a person, no ids. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a metric is called and means. */
export interface Description {
  /** With `slipway_` in front and the base unit at the end; that of a counter ends with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/**
 * What this process measures. Most of it is counted in plain numbers where it happens, so that counting costs nothing
 * and needs nothing of this; it is read when somebody asks for the metrics.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  /** Something that only grows, from 0 at the start of the process. */
  counter(description: Description, read: () => readonly Sample[]): void {
    const { labelNames = [], ...rest } = description;
    const counter: Counter = new Counter({
      ...rest,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: () => {
        counter.reset();
        for (const { labels, value } of read()) counter.inc(labels, value);
      },
    });
  }

  /**
   * Something that goes up and down.
   *
   * @param read the value now; `null`: nobody knows, and none is told. It never rejects, or nothing at all could be asked for.
   * @param together what several processes (`WORKERS`) make of theirs
   */
  gauge(
    description: Description,
    read: () => number | Promise<number | null>,
    together: 'sum' | 'min' | 'max' = 'sum',
  ): void {
    const gauge: Gauge = new Gauge({
      ...description,
      labelNames: [],
      aggregator: together,
      registers: [this.registry],
      collect: async () => {
        const value = await read();
        if (value === null) gauge.remove();
        else gauge.set(value);
      },
    });
  }
}

/** A sample for each property of plain counts, which becomes the value of one label. */
export function samplesOf(
  label: string,
  counts: Readonly<Record<string, number>>,
  others: Readonly<Record<string, string>> = {},
): Sample[] {
  return Object.entries(counts).map(([key, value]) => ({ labels: { ...others, [label]: key }, value }));
}

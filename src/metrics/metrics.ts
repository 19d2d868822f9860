import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** One value of a metric. */
export interface Sample {
  /** By name, as few different values as possible: nothing secret, nothing of a person, no ids. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The name and meaning of a metric. */
export interface Description {
  /** With `slipway_` in front and the base unit at the end; that of a counter ends with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/**
 * The metrics of this process. Most of them are plain numbers that the code increments where things happen; they are read
 * only when Prometheus scrapes.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  /** Registers a number that only grows, from 0 at the start of the process. */
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
   * Registers a distribution of durations.
   *
   * @param buckets upper limits, in seconds
   * @returns observes one duration, in seconds
   */
  histogram({ name, help }: Description, buckets: readonly number[]): (seconds: number) => void {
    const histogram = new Histogram({ name, help, buckets: [...buckets], registers: [this.registry] });
    return (seconds) => histogram.observe(seconds);
  }

  /**
   * Registers numbers of a whole installation that go up and down, by labels. Of several processes, the maximum counts.
   *
   * @param read the current values; `null`: unknown, the metric is left out. It must not reject.
   */
  gauges(description: Description, read: () => Promise<readonly Sample[] | null>): void {
    const { labelNames = [], ...rest } = description;
    const gauge: Gauge = new Gauge({
      ...rest,
      labelNames: [...labelNames],
      aggregator: 'max',
      registers: [this.registry],
      collect: async () => {
        const samples = await read();
        gauge.reset();
        for (const { labels, value } of samples ?? []) gauge.set(labels, value);
      },
    });
  }

  /**
   * Registers a number that goes up and down.
   *
   * @param read the current value; `null`: unknown, the metric is left out. It must not reject, or the whole scrape fails.
   * @param aggregator combines the values of several processes (`WORKERS`)
   */
  gauge(
    description: Description,
    read: () => number | Promise<number | null>,
    aggregator: 'sum' | 'min' | 'max' = 'sum',
  ): void {
    const gauge: Gauge = new Gauge({
      ...description,
      labelNames: [],
      aggregator,
      registers: [this.registry],
      collect: async () => {
        const value = await read();
        if (value === null) gauge.remove();
        else gauge.set(value);
      },
    });
  }
}

/** A sample for each property of an object of counts; its name becomes the value of a label. */
export function samplesOf(
  label: string,
  counts: Readonly<Record<string, number>>,
  others: Readonly<Record<string, string>> = {},
): Sample[] {
  return Object.entries(counts).map(([key, value]) => ({ labels: { ...others, [label]: key }, value }));
}

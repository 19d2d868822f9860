/** The metrics of a server, as it reports them. */
export class ScrapedMetrics {
  private readonly lines: readonly string[];

  private constructor(readonly text: string) {
    this.lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }

  static async of(port: number): Promise<ScrapedMetrics> {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    return new ScrapedMetrics(await response.text());
  }

  /** Names of all metrics, such as `slipway_damaged_files`. */
  get names(): string[] {
    return [...this.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
  }

  /** Every value of every label. */
  get labelValues(): string[] {
    const labels = this.lines.map((line) => /\{(.*)\}/.exec(line)?.[1] ?? '');
    return labels.flatMap((text) => [...text.matchAll(/="([^"]*)"/g)].map(([, value = '']) => value));
  }

  /** @param labels those of the sample, in any order @returns `undefined` when there is no such sample */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = this.lines.find((text) => {
      const [, itsName, itsLabels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(text) ?? [];
      const found = itsLabels === '' ? [] : itsLabels.split(/,(?=\w+=")/);
      return itsName === name && found.sort().join() === wanted.sort().join();
    });
    return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
  }
}

import { onCore } from '../../cores.ts';
import type { Load } from '../../load/load.ts';
import { type Program, startProgram } from '../../program.ts';
import { type Bench, loadOf } from '../bench.ts';
import type { Contestant, Turn } from '../turns.ts';
import type { WireResponse } from '../wire-response.ts';
import type { SteadyCase } from './cases.ts';
import { responseTo, type Side } from './sides.ts';

/** A line of a table: contestants that take turns one right after the other, because the speed of a machine drifts. */
export interface Line {
  readonly name: string;
  readonly isRecorded: boolean;
  /** First the bare server that sends the same bytes, then the servers of the sides. */
  readonly contestants: readonly Contestant[];
  /** Index of the contestant of each side; `null`: it responds otherwise. */
  readonly sides: readonly (number | null)[];
}

/** Ids differ from app to app and from check to check, and have the same length. */
const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The lines of a table, at the steady rate, and the bare servers among their contestants. */
export class Lines {
  readonly all: Line[] = [];
  /** By what they send. */
  private readonly bare = new Map<string, { program: Program; contestant: Contestant }>();
  private readonly bench: Bench;

  constructor(bench: Bench) {
    this.bench = bench;
  }

  /**
   * Adds a case.
   *
   * @param sides the first one is the one that must respond as expected and drop no check-in
   * @throws Error when it responds otherwise
   */
  async add(tested: SteadyCase, sides: readonly [Side, ...Side[]]): Promise<void> {
    for (const isRecorded of tested.isRecordedOnly ? [true] : [true, false]) {
      const loads = sides.map((side) => this.loadFor(side, tested, isRecorded));
      const responses: WireResponse[] = [];
      for (const load of loads) responses.push(await responseTo(load, tested.expected));
      const [current] = responses;
      if (current === undefined || String(current.status) !== tested.expected)
        throw new Error(`${tested.name}: ${current?.status} ${current?.body} instead of ${tested.expected}.`);
      const contestants = [await this.bareFor(current, loads[0] as Load, tested)];
      const indexes = sides.map((side, n): number | null => {
        if (String(responses[n]?.status) !== tested.expected) return null;
        const { pid, metricsPort } = side.serverFor(tested);
        const name = `${tested.name}, ${isRecorded ? 'recorded' : 'not recorded'}, ${side.name}`;
        const load = loads[n] as Load;
        const verify = side.isCurrent ? (turn: Turn) => verifyCheckIns(name, load, turn) : undefined;
        return contestants.push({ name, load, expected: tested.expected, pid, metricsPort, verify }) - 1;
      });
      this.all.push({ name: tested.name, isRecorded, contestants, sides: indexes });
    }
  }

  stop(): void {
    for (const { program } of this.bare.values()) program.stop();
  }

  private loadFor(side: Side, tested: SteadyCase, isRecorded: boolean): Load {
    const { rate, seconds, devices } = this.bench.settings.steady;
    const { appId = '', ...sent } = side.seeds.get(tested) ?? {};
    const origins = [side.serverFor(tested).origin];
    return loadOf(this.bench, appId, { ...sent, origins, devices, rate, seconds, anonymous: !isRecorded });
  }

  /** The contestant that sends the same bytes, which is started for the first case that needs it. */
  private async bareFor(response: WireResponse, load: Load, { expected }: SteadyCase): Promise<Contestant> {
    const key = `${response.status} ${response.body.replaceAll(IDS, 'id')}`;
    const known = this.bare.get(key);
    if (known !== undefined) return known.contestant;
    const program = await startProgram('check/bare.ts', response, onCore(0));
    const { appId, devices, rate, seconds } = load;
    const plain = loadOf(this.bench, appId, { origins: [program.origin], devices, rate, seconds });
    const contestant = { name: 'bare node:http', load: plain, expected, pid: program.pid };
    this.bare.set(key, { program, contestant });
    return contestant;
  }
}

/** @throws Error when check-ins were dropped, or others were written than those of the turn */
function verifyCheckIns(name: string, { devices, connections, anonymous }: Load, turn: Turn): void {
  const { answers, checkIns } = turn;
  if (checkIns === null) throw new Error(`${name}: the server does not count its check-ins.`);
  const { written, dropped } = checkIns;
  if (dropped > 0) throw new Error(`${name}: ${dropped} check-ins of ${answers} checks were dropped.`);
  // Two of one device that wait at once are written as one. The last checks may have no answer in time.
  const [least, most] = anonymous ? [0, 0] : [Math.min(devices, answers), answers + connections];
  if (written < least || written > most)
    throw new Error(`${name}: ${written} check-ins of ${answers} checks were written.`);
}

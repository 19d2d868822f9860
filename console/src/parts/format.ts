/** What is not known is a dash, never zero. */
export const UNKNOWN = '–';

const whole = new Intl.NumberFormat('en');
const oneDecimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A count, such as "12,410". */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : whole.format(value);
}

/** A count with its word, such as "1 device" and "12,410 devices". */
export function counted(value: number, word: string, plural = `${word}s`): string {
  return `${count(value)} ${value === 1 ? word : plural}`;
}

/** A share, such as "25 %", "0.3 %", "< 0.1 %", and "> 99 %". @param share 0 to 1 */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return UNKNOWN;
  const value = share * 100;
  // Some is not none, and almost all is not all.
  if (value > 0 && value < 0.05) return '<\u00a00.1\u00a0%';
  if (value > 99.5 && value < 100) return '>\u00a099\u00a0%';
  const isWhole = Math.abs(value - Math.round(value)) < 0.05;
  return `${value >= 10 && !isWhole ? whole.format(Math.round(value)) : oneDecimal.format(value)}\u00a0%`;
}

/** A size, such as "1.2 MB". @param bytes of any size */
export function size(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return UNKNOWN;
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return unit === 0 ? counted(bytes, 'byte') : `${oneDecimal.format(value)} ${units[unit]}`;
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** A duration in its two largest units, such as "3 h 12 min". @param ms in milliseconds */
export function duration(ms: number): string {
  if (ms < MINUTE) return 'less than a minute';
  const [days, hours, minutes] = [
    Math.floor(ms / DAY),
    Math.floor((ms % DAY) / HOUR),
    Math.floor((ms % HOUR) / MINUTE),
  ];
  const parts = days > 0 ? [days, 'd', hours, 'h'] : [hours, 'h', minutes, 'min'];
  return [0, 2]
    .filter((index) => parts[index] !== 0)
    .map((index) => `${parts[index]}\u00a0${parts[index + 1]}`)
    .join(' ');
}

/** A duration to the second, such as "41 s" and "1 min 42 s". @param ms in milliseconds */
export function seconds(ms: number): string {
  if (ms >= HOUR) return duration(ms);
  const [minutes, rest] = [Math.floor(ms / MINUTE), Math.floor((ms % MINUTE) / 1000)];
  return minutes === 0 ? `${rest}\u00a0s` : `${minutes}\u00a0min ${rest}\u00a0s`;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dateWithYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** When something was, as people say it: "12 min", "today 14:02", "yesterday 14:02", "Monday", "12 Nov". */
export function when(at: Date, now: Date): string {
  const age = now.getTime() - at.getTime();
  // The clocks of the browser and of the server differ.
  if (age < MINUTE && age > -5 * MINUTE) return 'just now';
  if (age >= 0 && age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY);
  if (days === 0) return `today ${clock.format(at)}`;
  if (days === 1) return `yesterday ${clock.format(at)}`;
  if (days === -1) return `tomorrow ${clock.format(at)}`;
  if (days > 1 && days < 7) return weekday.format(at);
  return (at.getFullYear() === now.getFullYear() ? date : dateWithYear).format(at);
}

/** The exact time, here and in UTC. */
export function exactly(at: Date): string {
  return `${at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })} (${at.toISOString()})`;
}

/** The day of a figure, such as "30 Oct". @param day `2026-10-30` */
export function dayName(day: string): string {
  return date.format(new Date(`${day}T12:00:00`));
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

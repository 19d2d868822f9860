/** @param share 0 to 1 @returns such as `12.5 %` */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

/** @param time ISO 8601 in UTC @returns such as `2026-12-01 10:00 UTC` */
export function minuteOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

/** A share in percent, as sentences say it: 0.05 is `5 %`. @param share 0 to 1 */
export function inPercent(share: number): string {
  return `${Number((share * 100).toFixed(4))} %`;
}

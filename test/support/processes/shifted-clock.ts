/** The option of Node.js that sets the clock of a process ahead. @param ahead milliseconds; negative: behind */
export function shiftedClock(ahead: number): string {
  const script = `
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...values) {
        if (values.length === 0) super(Real.now() + ${ahead});
        else super(...values);
      }
      static now() { return Real.now() + ${ahead}; }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

// ECharts asks for the next frame even where nothing moves. In an engine without timers there is none, and
// what is drawn without a browser is drawn at once.
interface Timers {
  setTimeout?: (call: () => void) => number;
  clearTimeout?: (timer: number) => void;
}
const timers = globalThis as unknown as Timers;
timers.setTimeout ??= () => 0;
timers.clearTimeout ??= () => undefined;

export {};

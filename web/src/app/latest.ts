/** What becomes of a question. */
export interface Outcome<Answer> {
  busy(): void;
  answer(answer: Answer): void;
  problem(error: unknown): void;
}

const kPause = 60; // ms without a change before the server is asked
const kMostPause = 150; // ms after which it is asked although things still change

/**
 * Asks the same thing again and again while a slider moves. Only the answer to the latest question is
 * shown: an earlier one is given up, and dropped if it comes nevertheless.
 */
export class Latest<Answer> {
  private stop_: AbortController | null = null;
  private timer_ = 0;
  private waiting_since_ = 0;

  constructor(
    private readonly question_: (signal: AbortSignal) => Promise<Answer>,
    private readonly outcome_: Outcome<Answer>,
  ) {}

  /** Soon: several calls in a row are one question. */
  ask(): void {
    const now = performance.now();
    if (this.timer_ === 0) this.waiting_since_ = now;
    clearTimeout(this.timer_);
    const wait = Math.min(kPause, Math.max(0, this.waiting_since_ + kMostPause - now));
    this.timer_ = window.setTimeout(() => void this.ask_now(), wait);
    this.outcome_.busy();
  }

  /** Neither asks nor shows what was asked before. */
  forget(): void {
    clearTimeout(this.timer_);
    this.timer_ = 0;
    this.stop_?.abort();
    this.stop_ = null;
  }

  private async ask_now(): Promise<void> {
    this.forget();
    const stop = (this.stop_ = new AbortController());
    try {
      const answer = await this.question_(stop.signal);
      if (this.stop_ === stop) this.outcome_.answer(answer);
    } catch (error) {
      if (this.stop_ === stop) this.outcome_.problem(error);
    }
  }
}

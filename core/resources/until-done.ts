const HOUR_MS = 60 * 60 * 1000

/**
 * How work outside is repeated that has no end but its own: half of it may be done, so there is nothing to do but to go on. Each pause is twice
 * the one before, and at most an hour.
 *
 * So its `check` refuses at the first attempt only. A later one goes on, whatever has happened since, such as other work that had some of the same:
 * what is half done must not fail.
 */
export const untilDone = (firstPauseMs: number) =>
  ({
    outside: true,
    resumeAfterMs: (attempt: number): number => Math.min(HOUR_MS, firstPauseMs * 2 ** (attempt - 1)),
    attemptsMax: Number.MAX_SAFE_INTEGER,
    whenInterrupted: 'retry',
  }) as const

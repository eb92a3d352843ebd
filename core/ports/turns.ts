/**
 * Shares the one thread of the process between organizations. The engine calls `next` before each piece of work that can take long,
 * so that one organization makes the others wait for at most one piece.
 */
export interface Turns {
  /** Resolves when the organization's work may go on. The code from there to its next `await` counts as its turn. */
  readonly next: (organizationId: string) => Promise<void>
}

/** Lets all work go on at once: for one caller, and for simulations. */
export const noTurns: Turns = { next: () => Promise.resolve() }

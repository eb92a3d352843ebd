/**
 * Who goes on next, where many share the one thread of the process. The engine asks before each piece of work that can take
 * long, so that no organization keeps the others waiting for more than one piece.
 */
export interface Turns {
  /** Resolves when the organization's work may go on. What it does from there to its next `await` counts as its turn. */
  readonly next: (organizationId: string) => Promise<void>
}

/** Lets everybody go on at once: for one caller, and for simulations. */
export const noTurns: Turns = { next: () => Promise.resolve() }

/**
 * What clients sent to one organization and what they heard, with the order in which it happened: `at` counts, over all
 * clients, every sending and every hearing.
 */
export type History = { readonly calls: readonly Call[]; readonly log: readonly Logged[] }

export type Call = {
  readonly client: string
  readonly sentAt: number
  /** Undefined where no answer came. */
  readonly heardAt: number | undefined
  readonly said: Said
  readonly heard: Heard | undefined
}

export type Said =
  /** `activity` is the id that the body has, whoever sends it; `denial` the one that a denial of this user has. */
  | { readonly _tag: 'submit'; readonly activity: string; readonly denial?: string; readonly user: string }
  | {
      readonly _tag: 'vote'
      readonly activity: string
      readonly user: string
      readonly selection: 'approve' | 'reject'
    }
  | { readonly _tag: 'list' }

export type Heard =
  | {
      readonly _tag: 'activity'
      readonly activity: string
      readonly status: string
      readonly voters: readonly string[]
    }
  /** Denied by policy: a refusal that is stored. */
  | { readonly _tag: 'denied' }
  | { readonly _tag: 'refused'; readonly code: string }
  /** What a list showed: whatever text the state is told by. */
  | { readonly _tag: 'listed'; readonly shown: string }

/** An event of the organization's log, as far as a history is about it; in order of sequence. */
export type Logged = {
  readonly sequence: number
  readonly activity: string
  readonly event: 'created' | 'denied' | 'approved' | 'rejected' | 'started' | 'completed' | 'failed'
  readonly user: string | undefined
  /** What a list shows after this event. */
  readonly shows: string
}

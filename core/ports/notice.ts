import type { Json } from '../failure.ts'

/** Something that an operator should know. */
export type Notice = {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly context?: { readonly [name: string]: Json }
}

export type TellNotice = (notice: Notice) => void

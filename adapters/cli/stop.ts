import type { Failure } from '../../core/failure.ts'
import type { TE } from '../../core/prelude.ts'

export { systemCode, systemReason } from '../files/system-error.ts'

/** The end of a command that cannot go on: one line for a person, and the exit code. `commandLine` catches it. */
export class Stop extends Error {
  readonly exitCode: number

  constructor(exitCode: number, line: string) {
    super(line)
    this.exitCode = exitCode
  }
}

/** Exit code 2: the command was given something wrong, or cannot get at what it needs. */
export const unusable = (line: string): Stop => new Stop(2, line)

/** Exit code 1: the command understood, and the answer is no. */
export const refusal = (line: string): Stop => new Stop(1, line)

/** The task's value; a failure stops the command. */
export const resultOf = async <A>(task: TE.TaskEither<Failure, A>): Promise<A> => {
  const outcome = await task()
  if (outcome._tag === 'Left') throw stopOf(outcome.left)
  return outcome.right
}

export const stopOf = ({ code, message }: Pick<Failure, 'code' | 'message'>): Stop => {
  const hint = HINTS.find(([beginning]) => message.startsWith(beginning))?.[1]
  const line = hint === undefined ? message : `${message}: ${hint}`
  return UNUSABLE.includes(code) ? unusable(line) : refusal(line)
}

/** What helps if an operation is unknown because a host has defined it. */
export const GIVE_RESOURCES = 'if it is of a host, give the module of its resources with --resources FILE'

/** What helps after a failure whose message begins so: the core does not know the flags of this command. */
const HINTS: readonly (readonly [beginning: string, hint: string])[] = [
  ['this version does not know the operation ', GIVE_RESOURCES],
  ['the store does not have the organization that ', 'or replace it with init --force'],
  ['readModels: this database does not belong to this log', 'here that is --adopt-read-models'],
  ['ports: expected ', 'export them with the name ports from the module of --resources'],
]

const UNUSABLE: readonly Failure['code'][] = [
  'STORE_LOCKED',
  'STORE_UNREADABLE',
  'CONFIGURATION_INVALID',
  'UNAVAILABLE',
  'INTERNAL',
]

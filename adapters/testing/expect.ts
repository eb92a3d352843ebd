import { deepStrictEqual, fail } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { E } from '../../core/prelude.ts'
import type { TE } from '../../core/prelude.ts'
import type { Failure, FailureCode } from '../../core/failure.ts'

/** Runs the task and gives its value; a failure breaks the case. */
export const right = async <A>(task: TE.TaskEither<Failure, A>): Promise<A> => {
  const answer = await task()
  return E.isRight(answer) ? answer.right : fail(`expected an answer, got ${answer.left.code}: ${answer.left.message}`)
}

/** Runs the task, which must fail with this code. */
export const failsWith = async (code: FailureCode, task: TE.TaskEither<Failure, unknown>): Promise<void> => {
  const answer = await task()
  deepStrictEqual(E.isLeft(answer) ? answer.left.code : 'an answer', code)
}

/** Looks until it is so, without a limit: the runner of the tests has one. It keeps the process alive, as a store that watches does not. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Deep equality, in which the class of byte arrays does not matter. */
export const same = (actual: unknown, expected: unknown, message?: string): void =>
  deepStrictEqual(plain(actual), plain(expected), message)

const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return shown(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/** Shows long byte strings by their hash, so that a difference can be read. */
const shown = (bytes: Uint8Array): string => {
  const isLong = bytes.length > 64
  const hex = isLong ? createHash('sha256').update(bytes).digest('hex') : Buffer.from(bytes).toString('hex')
  return isLong ? `${bytes.length} bytes with SHA-256 ${hex}` : `bytes ${hex}`
}

/** The few fp-ts names that the whole code base uses. fp-ts is imported here, by `either.ts`, and nowhere else. */
export * as E from './either.ts'
export * as O from 'fp-ts/lib/Option.js'
export * as TE from 'fp-ts/lib/TaskEither.js'
export { flow, pipe } from 'fp-ts/lib/function.js'
export type { Either } from './either.ts'
export type { TaskEither } from 'fp-ts/lib/TaskEither.js'
